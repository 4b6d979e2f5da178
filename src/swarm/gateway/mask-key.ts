export function maskKey(key: string): string {
  return `${key.slice(0, 6)}…`;
}
