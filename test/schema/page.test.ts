import { describe, expect, it } from 'vitest';
import { decodePlace, encodePlace, readPlaces } from '../../src/schema/agents.ts';
import { cutPage, pageOf } from '../../src/schema/page.ts';

const decode = (cursor: string) => (cursor.startsWith('c') ? Number(cursor.slice(1)) : undefined);

describe('a page', () => {
  it.each([
    ['no word on its size', {}, { limit: 50, isBackward: false }],
    ['nulls', { first: null, last: null, after: null, before: null }, { limit: 50, isBackward: false }],
    ['first', { first: 3 }, { limit: 3, isBackward: false }],
    ['last, beside the default of first', { first: 50, last: 3 }, { limit: 3, isBackward: true }],
    ['none at all', { first: 0 }, { limit: 0, isBackward: false }],
    ['the most', { first: 1_000 }, { limit: 1_000, isBackward: false }],
    ['cursors', { after: 'c3', before: 'c9' }, { limit: 50, isBackward: false, after: 3, before: 9 }],
  ])('is read from %s', (_, args, expected) => {
    expect(pageOf(args, decode)).toEqual({ after: undefined, before: undefined, ...expected });
  });

  it.each([
    ['too much', { first: 1_001 }, /first is 1001; a page has at most 1000/],
    ['too much from the end', { last: 5_000 }, /last is 5000; a page has at most 1000/],
    ['less than nothing', { first: -1 }, /first is -1/],
    ['a cursor of something else', { after: 'x' }, /after is no cursor of this list/],
  ])('is refused for %s', (_, args, message) => {
    expect(() => pageOf(args, decode)).toThrow(message);
  });

  it('says where it begins and ends, and whether there is more', () => {
    const page = { limit: 2, isBackward: false, after: undefined, before: undefined };
    const cut = cutPage([1, 2, 3], page, String);

    expect(cut).toEqual({
      entries: [1, 2],
      pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: '1', endCursor: '2' },
    });
  });

  it('read from its end is shown in the order of the list', () => {
    const page = { limit: 2, isBackward: true, after: undefined, before: 9 };
    const cut = cutPage([8, 7, 6], page, String);

    expect(cut).toEqual({
      entries: [7, 8],
      pageInfo: { hasNextPage: true, hasPreviousPage: true, startCursor: '7', endCursor: '8' },
    });
  });

  it('that is empty has no cursors', () => {
    const page = { limit: 2, isBackward: false, after: undefined, before: undefined };

    expect(cutPage([], page, String).pageInfo).toMatchObject({ startCursor: null, endCursor: null });
  });
});

describe('places of agents', () => {
  const indexes = [0, 2, 4, 6, 8];
  const page = { limit: 2, isBackward: false, after: undefined, before: undefined };

  it.each([
    ['from the start', {}, [0, 2, 4]],
    ['after one', { after: 2 }, [4, 6, 8]],
    ['after one that is not among them', { after: 3 }, [4, 6, 8]],
    ['after the last one', { after: 8 }, []],
    ['between two', { after: 2, before: 6 }, [4]],
    ['before the first one', { before: 0 }, []],
    ['from the end', { isBackward: true }, [8, 6, 4]],
    ['backward before one', { isBackward: true, before: 4 }, [2, 0]],
    ['backward of none', { isBackward: true, limit: 0 }, [8]],
  ])('are read %s, and one more', (_, words, expected) => {
    expect(readPlaces(indexes, { ...page, ...words })).toEqual(expected);
  });

  it('survive their cursor, and nothing else does', () => {
    expect(decodePlace(encodePlace(1_234))).toBe(1_234);
    expect(decodePlace('')).toBeUndefined();
    expect(decodePlace(Buffer.from('agent:x').toString('base64url'))).toBeUndefined();
  });
});
