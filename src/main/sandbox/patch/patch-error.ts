/** Thrown inside this folder when a patch cannot be applied; its callers get a Result. */
export class PatchError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PatchError'
  }
}
