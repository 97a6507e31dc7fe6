import { invalidField } from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblem } from '../../../../shared/kubernetes/validation/field-problem.ts'

/** The levels and versions in a namespace's labels. Source: k8s.io/pod-security-admission api/helpers.go, api/constants.go (v1.34). */

const levels = ['privileged', 'baseline', 'restricted'] as const

/** From the least strict to the strictest. */
export type Level = (typeof levels)[number]

/** `version` is `latest` or `v1.N`, which labels have in one spelling only. */
export interface LevelVersion {
  readonly level: Level
  readonly version: string
}

const modes = ['enforce', 'audit', 'warn'] as const

/** The policy of a namespace. Its mode `audit` only adds annotations to an audit log, which the sandbox does not have. */
export interface Policy {
  readonly enforce: LevelVersion
  readonly warn: LevelVersion
}

type Labels = Readonly<Record<string, string>>

const latest = 'latest'

/** Go's strconv.Atoi refuses larger ones. */
const largestNumber = 9_223_372_036_854_775_807n

function parsedLevel(text: string): Level | undefined {
  return levels.find((level) => level === text)
}

/** Source: ParseVersion. */
function isVersion(text: string): boolean {
  const [, minor] = /^v1\.(0|[1-9]\d*)$/.exec(text) ?? []
  return text === latest || (minor !== undefined && BigInt(minor) <= largestNumber)
}

/** Source: CompareLevels. */
export function isStricter(level: Level, other: Level): boolean {
  return levels.indexOf(level) > levels.indexOf(other)
}

/** `restricted:latest`. Source: LevelVersion.String. */
export function levelVersionText({ level, version }: LevelVersion): string {
  return `${level}:${version}`
}

/** The number after `v1.`; infinite for `latest`. */
export function minorOf(version: string): number {
  return version === latest ? Infinity : Number(version.slice('v1.'.length))
}

function labelOf(mode: (typeof modes)[number], suffix: '' | '-version'): string {
  return `pod-security.kubernetes.io/${mode}${suffix}`
}

/** The labels that cannot be read. Source: PolicyToEvaluate. */
export function policyProblems(labels: Labels): readonly FieldProblem[] {
  const problem = (label: string, isValid: (text: string) => boolean, why: string) => {
    const text = labels[label]
    if (text === undefined || isValid(text)) return []
    return [invalidField(`metadata.labels[${label}]`, text, why)]
  }
  const isLevel = (text: string): boolean => parsedLevel(text) !== undefined
  return modes.flatMap((mode) => [
    ...problem(labelOf(mode, ''), isLevel, `must be one of ${levels.join(', ')}`),
    ...problem(labelOf(mode, '-version'), isVersion, 'must be "latest" or "v1.x"'),
  ])
}

/** The policy of a namespace with these labels: what cannot be read is enforced as `restricted`, and not warned about. Source: PolicyToEvaluate. */
export function policyOf(labels: Labels): Policy {
  const level = (mode: (typeof modes)[number], otherwise: Level): Level => {
    const text = labels[labelOf(mode, '')]
    return text === undefined ? 'privileged' : (parsedLevel(text) ?? otherwise)
  }
  const version = (mode: (typeof modes)[number]): string => {
    const text = labels[labelOf(mode, '-version')] ?? latest
    return isVersion(text) ? text : latest
  }
  const enforce = { level: level('enforce', 'restricted'), version: version('enforce') }
  const warn = { level: level('warn', 'privileged'), version: version('warn') }
  const isEnforced = parsedLevel(labels[labelOf('enforce', '')] ?? '') !== undefined
  if (labels[labelOf('warn', '')] !== undefined || !isEnforced || enforce.level === 'privileged')
    return { enforce, warn }
  // A namespace that enforces a level and says nothing about warnings warns about the same.
  const hasVersion = labels[labelOf('warn', '-version')] !== undefined
  return { enforce, warn: hasVersion ? { ...warn, level: enforce.level } : enforce }
}
