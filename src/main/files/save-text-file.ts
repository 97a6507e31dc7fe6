import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fileErrorText } from './file-error.ts'
import { replaceFile } from './replace-file.ts'

/** Writes a file whole or not at all: a file that is there stays if it fails. Resolves with its path. Error: a sentence. */
export async function saveTextFile(path: string, text: string): Promise<Result<string, string>> {
  try {
    await replaceFile(path, text)
    return ok(path)
  } catch (error) {
    return err(`${path} cannot be written, ${fileErrorText(error)}.`)
  }
}
