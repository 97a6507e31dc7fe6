/** `5 ms`, `2.5 s`. */
export function secondsText(value: number): string {
  return value < 1 ? `${Math.round(value * 1000)} ms` : `${Number(value.toFixed(1))} s`
}
