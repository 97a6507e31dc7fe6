/** Seconds after the click; `latest` null: nothing bounds it. */
export interface Span {
  readonly earliest: number
  readonly latest: number | null
}
