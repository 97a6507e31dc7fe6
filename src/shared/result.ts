/**
 * An expected failure as a value. `ok: false` carries a union on `kind`; nothing that a caller
 * must expect is thrown.
 */
export type Result<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** A success. */
export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value }
}

/** An expected failure. */
export function err<E>(error: E): Result<never, E> {
  return { ok: false, error }
}
