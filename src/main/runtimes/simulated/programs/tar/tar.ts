import { Unreadable, known } from '../../shell/unreadable.ts'
import type { Program } from '../program.ts'
import { optionsOf, programOf } from '../program.ts'
import { createArchive } from './create-archive.ts'
import { extractArchive } from './extract-archive.ts'
import type { TarOptions } from './tar-options.ts'

const valueLetters = 'fC'

/** `cf - x`, without a hyphen, is `-c -f - x`: values follow in the order of their letters. */
function withHyphens([letters = '', ...others]: readonly string[]): readonly string[] {
  if (letters.startsWith('-')) return [letters, ...others]
  const left = [...others]
  const options = Array.from(letters).flatMap((letter) =>
    valueLetters.includes(letter) ? [`-${letter}`, left.shift() ?? ''] : [`-${letter}`],
  )
  return [...options, ...left]
}

/** What changes nothing here: owners are not kept. */
const withoutEffect = ['no-same-permissions', 'no-same-owner', 'numeric-owner', 'overwrite']

/** `tar` as busybox has it, which is what `kubectl cp` runs; without compression. */
export const tar: Program = programOf((operands) => {
  const { flags, values, rest } = optionsOf('tar', withHyphens(operands), {
    flags: 'cxtvhmpokO',
    values: valueLetters,
    long: withoutEffect,
  })
  const [action, ...others] = ['c', 'x', 't'].filter((letter) => flags.has(letter))
  const archive = values.get('f')
  if (action === undefined || others.length > 0 || archive === undefined)
    throw new Unreadable('tar with neither c, x nor t, or without f')
  const options: TarOptions = {
    archive: known(archive, 'tar'),
    folder: values.get('C'),
    // A slash at the end counts only for what cannot be a folder.
    names: rest.map((name) => known(name, 'tar').replace(/(?<=.)\/+$/, '')),
    flags,
  }
  return (io) => (action === 'c' ? createArchive(io, options) : extractArchive(io, options))
})
