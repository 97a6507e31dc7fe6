import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'

/** One change of an entry; undefined removes it. */
export type EntryChange = readonly [key: string, text: string | undefined]

/** Where a sandbox's state is kept. All methods reject with what the operating system or LevelDB says. */
export interface StateDatabase {
  readonly entries: () => Promise<readonly (readonly [string, string])[]>
  /** All changes or none; resolves when the operating system has them. */
  readonly write: (changes: readonly EntryChange[]) => Promise<void>
  /** After a failed write: LevelDB could append to a record that was written in part. */
  readonly reopen: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What LevelDB says, under what the package says about it. */
export function databaseReason(error: unknown): { readonly code: string; readonly text: string } {
  let found: unknown = error
  while (found instanceof Error && found.cause instanceof Error) found = found.cause
  const code = (found as { code?: unknown } | undefined)?.code
  return {
    code: typeof code === 'string' ? code : '',
    text: found instanceof Error ? found.message : String(found),
  }
}

/** LevelDB's own list of files. */
const currentName = 'CURRENT'

/** Whether the folder has tables without their list: LevelDB would begin a new database and remove them. */
export function lacksList(path: string): boolean {
  if (!existsSync(path) || existsSync(join(path, currentName))) return false
  return readdirSync(path).some((name) => /\.(ldb|log)$|^MANIFEST/.test(name))
}

/** Opens or creates a LevelDB database in the folder. */
export async function openDatabase(path: string): Promise<StateDatabase> {
  const database = new ClassicLevel<string, string>(path)
  await database.open()
  return {
    entries: () => database.iterator().all(),
    write: (changes) =>
      database.batch(
        changes.map(([key, value]) =>
          value === undefined ? { type: 'del', key } : { type: 'put', key, value },
        ),
      ),
    reopen: async () => {
      await database.close()
      await database.open()
    },
    close: () => database.close(),
  }
}
