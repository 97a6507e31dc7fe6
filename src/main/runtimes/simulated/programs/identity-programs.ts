import type { LinuxContainerUser } from '../../../kubelet/cri-types.ts'
import { Unreadable, unknownText } from '../shell/unreadable.ts'
import { ends } from './program.ts'
import type { Program, ProgramEffect } from './program.ts'

function prints(text: string): ProgramEffect {
  return ends(0, `${text}\n`)
}

/** Only root has a name in every image. */
function named(id: number): string {
  return id === 0 ? '0(root)' : String(id)
}

function idText(
  { uid, gid, supplementalGroups: groups = [] }: LinuxContainerUser,
  flags: string,
): string {
  switch (flags) {
    case '':
      return `uid=${named(uid)} gid=${named(gid)} groups=${groups.map(named).join(',')}`
    case 'u':
      return String(uid)
    case 'g':
      return String(gid)
    case 'G':
      return [gid, ...groups.filter((group) => group !== gid)].join(' ')
    case 'nu':
      return uid === 0 ? 'root' : unknownText
    case 'gn':
      return gid === 0 ? 'root' : unknownText
    default:
      throw new Unreadable(`id -${flags}`)
  }
}

/** To check the options while the user is not known. */
const anyUser: LinuxContainerUser = { uid: 0, gid: 0, supplementalGroups: [] }

const id: Program = {
  run: (operands, { shell }) => {
    if (operands.some((operand) => !/^-[a-zA-Z]+$/.test(operand)))
      throw new Unreadable('id of a user')
    const flags = Array.from(operands.join('').replaceAll('-', '')).toSorted().join('')
    const user = shell?.script.user
    const text = idText(user ?? anyUser, flags)
    return prints(user === undefined ? unknownText : text)
  },
  onlyPrints: true,
}

const whoami: Program = {
  run: (_operands, { shell }) => prints(shell?.script.user?.uid === 0 ? 'root' : unknownText),
  onlyPrints: true,
}

const uname: Program = {
  run: (operands, { environment }) => {
    const [flag = '-s'] = operands
    const known: Readonly<Record<string, string | undefined>> = {
      '-s': 'Linux',
      '-n': environment('HOSTNAME'),
    }
    return prints((operands.length < 2 ? known[flag] : undefined) ?? unknownText)
  },
  onlyPrints: true,
}

/** The variables that a program gets, in the order in which a container has them. */
const env: Program = {
  run: (operands, { environment, shell }) => {
    if (operands.length > 0) throw new Unreadable('env with operands')
    const lines = shell?.exportedNames().map((name) => `${name}=${environment(name) ?? ''}`)
    return prints(lines?.join('\n') ?? unknownText)
  },
}

const printenv: Program = {
  run: (operands, surroundings) => {
    if (operands.length === 0) return env.run(operands, surroundings)
    const values = operands.map((name) => surroundings.environment(name))
    const output = values.flatMap((value) => (value === undefined ? [] : [`${value}\n`])).join('')
    return ends(values.includes(undefined) ? 1 : 0, output)
  },
}

export const identityPrograms: readonly (readonly [string, Program])[] = [
  ['id', id],
  ['whoami', whoami],
  ['uname', uname],
  ['env', env],
  ['printenv', printenv],
]
