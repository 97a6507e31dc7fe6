import type { ActError, SavedFile } from '../../shared/ipc/contract.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { SaveFile } from './session-ports.ts'

/** Saves a text in the host's dialog; without one the page gets it. */
export async function savedFile(
  name: string,
  text: string,
  saveFile: SaveFile | undefined,
): Promise<Result<SavedFile, ActError>> {
  if (saveFile === undefined) return ok({ kind: 'text', name, text })
  const saved = await saveFile(name, text)
  if (!saved.ok) return err({ kind: 'failed', message: saved.error })
  return ok(
    saved.value === undefined ? { kind: 'canceled' } : { kind: 'written', path: saved.value },
  )
}
