/** `429 TooManyRequests`: how an API server refused. `reason` may be empty. Pure. */
export function answerWords(code: number, reason: string): string {
  return reason === '' ? String(code) : `${code} ${reason}`
}
