import { rename, rm, writeFile } from 'node:fs/promises'
import { temporaryPath } from './temporary-path.ts'

/** Writes a new file with mode 0600 and renames it, so that no program reads a partial file or keeps the old mode. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = temporaryPath(path)
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
