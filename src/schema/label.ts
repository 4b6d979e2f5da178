import { builder } from './builder.ts';

export interface Label {
  readonly key: string;
  readonly value: string;
}

export const LabelRef = builder.objectRef<Label>('Label').implement({
  fields: (t) => ({ key: t.exposeString('key'), value: t.exposeString('value') }),
});

export const LabelInput = builder.inputType('LabelInput', {
  fields: (t) => ({ key: t.string({ required: true }), value: t.string({ required: true }) }),
});
