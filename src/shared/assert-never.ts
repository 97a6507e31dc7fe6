/** Ends a switch over a union: does not compile while a case is missing, throws if the type lied. */
export function assertNever(value: never, what: string): never {
  throw new Error(`unexpected ${what}: ${JSON.stringify(value)}`)
}
