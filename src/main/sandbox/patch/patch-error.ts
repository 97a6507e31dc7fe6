/** Leaves the recursion of a patch that cannot be applied; never leaves this folder. */
export class PatchError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PatchError'
  }
}
