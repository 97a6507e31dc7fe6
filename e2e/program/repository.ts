import { resolve } from 'node:path'

/** The folder of the built program. */
export const repository = resolve(import.meta.dirname, '..', '..')
