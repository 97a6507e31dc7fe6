import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A file, or the files of a folder, as text: path, length and hash of each. */
export async function filesBelow(path: string): Promise<string> {
  const lines: string[] = []
  for (const file of await filesIn(path)) {
    const content = await readFile(file)
    const hash = createHash('sha256').update(content).digest('hex')
    lines.push(`${relative(path, file)} ${content.length} ${hash}`)
  }
  return lines.join('\n')
}

async function filesIn(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => !entry.isDirectory())
    return files.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  } catch {
    // A file; where there is none, reading it fails.
    return [path]
  }
}
