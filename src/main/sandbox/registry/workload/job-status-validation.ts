import {
  equalJson,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  duplicateField,
  invalidField,
  invalidWithoutValue,
  problemIf,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { overlapOf, parseIndexes } from './job-indexes.ts'
import { nonnegativeFields } from './number-problems.ts'

/** A job’s status with the answers that its rules ask for. */
interface JobState {
  readonly spec: JsonObject
  readonly status: JsonObject
  readonly isComplete: boolean
  readonly isFailed: boolean
  readonly isFinished: boolean
  readonly isFailureTarget: boolean
  readonly isSuccess: boolean
  /** `True`, `False` or undefined. */
  readonly suspended: string | undefined
}

function stateOf(job: KubeObject): JobState {
  const status = objectAt(job, 'status')
  const is = (type: string): boolean =>
    objectsAt(status, 'conditions').some((one) => one['type'] === type && one['status'] === 'True')
  const isComplete = is('Complete')
  const isFailed = is('Failed')
  return {
    spec: objectAt(job, 'spec'),
    status,
    isComplete,
    isFailed,
    isFinished: isComplete || isFailed,
    isFailureTarget: is('FailureTarget'),
    suspended: objectsAt(status, 'conditions')
      .filter((one) => one['type'] === 'Suspended')
      .map((one) => textAt(one, 'status'))[0],
    isSuccess: is('SuccessCriteriaMet'),
  }
}

const conditions = 'status.conditions'

function conditionProblem(isWrong: boolean, detail: string): FieldProblems {
  return problemIf(isWrong, invalidWithoutValue(conditions, detail))
}

function uncountedProblems({ status }: JobState): FieldProblems {
  const pods = objectAt(status, 'uncountedTerminatedPods')
  const seen = new Set<unknown>()
  return ['succeeded', 'failed'].flatMap((list) =>
    listAt(pods, list).flatMap((uid, index) => {
      const field = `status.uncountedTerminatedPods.${list}[${index}]`
      if (uid === '') return [invalidField(field, uid, 'must not be empty')]
      if (seen.has(uid)) return [duplicateField(field, uid)]
      seen.add(uid)
      return []
    }),
  )
}

/** What changed between two states: most rules hold only for what a write changes. */
function changesOf(next: JobState, old: JobState) {
  const isOther = (field: string): boolean => !equalJson(next.status[field], old.status[field])
  return {
    complete: next.isComplete !== old.isComplete,
    failed: next.isFailed !== old.isFailed,
    finished: next.isFinished !== old.isFinished,
    target: next.isFailureTarget !== old.isFailureTarget,
    success: next.isSuccess !== old.isSuccess,
    isOther,
  }
}

function completionProblems(next: JobState, old: JobState): FieldProblems {
  const { status, isComplete } = next
  const change = changesOf(next, old)
  const startTime = textAt(status, 'startTime')
  const completionTime = textAt(status, 'completionTime')
  const field = 'status.completionTime'
  const isChecked = change.complete || change.isOther('completionTime')
  const isTimed = change.isOther('startTime') || change.isOther('completionTime')
  const isBefore =
    startTime !== '' && completionTime !== '' && Date.parse(completionTime) < Date.parse(startTime)
  const early = 'cannot set completionTime when there is no Complete=True condition'
  return [
    ...conditionProblem(
      (change.complete || change.failed) && isComplete && next.isFailed,
      'cannot set Complete=True and Failed=true conditions',
    ),
    ...conditionProblem(
      (change.complete || change.target) && isComplete && next.isFailureTarget,
      'cannot set Complete=True and FailureTarget=true conditions',
    ),
    ...problemIf(
      isChecked && completionTime !== '' && !isComplete,
      invalidField(field, completionTime, early),
    ),
    ...problemIf(
      isChecked && completionTime === '' && isComplete,
      requiredField(field, 'completionTime is required for Complete jobs'),
    ),
    ...problemIf(
      isTimed && isBefore,
      invalidField(field, completionTime, 'must be equal to or after `startTime`'),
    ),
  ]
}

function finishedProblems(next: JobState, old: JobState): FieldProblems {
  const { spec, status, isFinished } = next
  const change = changesOf(next, old)
  const active = numberAt(status, 'active') ?? 0
  const isIdle = spec['suspend'] === true && spec['completions'] === 0
  const uncounted = objectAt(status, 'uncountedTerminatedPods')
  const hasUncounted =
    listAt(uncounted, 'succeeded').length + listAt(uncounted, 'failed').length > 0
  const isNew = change.finished
  return [
    ...conditionProblem(
      (change.failed || change.isOther('failedIndexes')) && next.isFailed && !next.isFailureTarget,
      'cannot set Failed=True condition without the FailureTarget=true condition',
    ),
    ...conditionProblem(
      (change.complete || change.success) && next.isComplete && !next.isSuccess,
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ),
    ...problemIf(
      (isNew || change.isOther('active')) && active > 0 && isFinished,
      invalidField('status.active', active, 'active>0 is invalid for finished job'),
    ),
    ...problemIf(
      (isNew || change.isOther('startTime')) &&
        !isIdle &&
        status['startTime'] === undefined &&
        isFinished,
      requiredField('status.startTime', 'startTime is required for finished job'),
    ),
    ...problemIf(
      (isNew || change.isOther('uncountedTerminatedPods')) && isFinished && hasUncounted,
      invalidField(
        'status.uncountedTerminatedPods',
        // The internal type as Go prints it.
        { Succeeded: uncounted['succeeded'] ?? null, Failed: uncounted['failed'] ?? null },
        'must be empty for finished job',
      ),
    ),
  ]
}

function indexProblems(next: JobState, old: JobState): FieldProblems {
  const { spec, status } = next
  const change = changesOf(next, old)
  const completions = numberAt(spec, 'completions')
  const completedText = textAt(status, 'completedIndexes')
  const failedText = status['failedIndexes']
  const hasLimit = spec['backoffLimitPerIndex'] !== undefined
  const completed = parseIndexes(completedText, completions ?? 0)
  const failed = parseIndexes(typeof failedText === 'string' ? failedText : '', completions ?? 0)
  const isNewCompleted = change.isOther('completedIndexes')
  const isNewFailed = change.isOther('failedIndexes')
  const isCounted = completions !== undefined
  const field = (name: string): string => `status.${name}Indexes`
  const overlap = completed.ok && failed.ok ? overlapOf(completed.value, failed.value) : undefined
  return [
    ...(isNewCompleted && isCounted && !completed.ok
      ? [
          invalidField(
            field('completed'),
            completedText,
            `error parsing completedIndexes: ${completed.error}`,
          ),
        ]
      : []),
    ...(isNewFailed && isCounted && hasLimit && !failed.ok
      ? [invalidField(field('failed'), failedText, `error parsing failedIndexes: ${failed.error}`)]
      : []),
    ...problemIf(
      isNewCompleted && completedText !== '' && spec['completionMode'] !== 'Indexed',
      invalidField(
        field('completed'),
        completedText,
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      ),
    ),
    ...problemIf(
      isNewFailed && !hasLimit && failedText !== undefined,
      invalidField(
        field('failed'),
        failedText,
        'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ),
    ),
    ...problemIf(
      (isNewFailed || isNewCompleted) && isCounted && overlap !== undefined,
      invalidField(
        field('failed'),
        failedText,
        `failedIndexes and completedIndexes overlap at index: ${overlap}`,
      ),
    ),
  ]
}

function podCountProblems(next: JobState, old: JobState): FieldProblems {
  const { status, isFinished } = next
  const change = changesOf(next, old)
  const ready = numberAt(status, 'ready') ?? 0
  const terminating = numberAt(status, 'terminating') ?? 0
  return [
    ...problemIf(
      (change.finished || change.isOther('terminating')) && terminating > 0 && isFinished,
      invalidField('status.terminating', terminating, 'terminating>0 is invalid for finished job'),
    ),
    ...problemIf(
      (change.isOther('ready') || change.isOther('active')) &&
        ready > (numberAt(status, 'active') ?? 0),
      invalidField('status.ready', ready, 'cannot set more ready pods than active'),
    ),
    ...conditionProblem(
      next.isSuccess && next.isFailed,
      'cannot set SuccessCriteriaMet=True and Failed=true conditions',
    ),
    ...conditionProblem(
      next.isSuccess && next.isFailureTarget,
      'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
    ),
    ...conditionProblem(
      next.spec['successPolicy'] !== undefined && !next.isSuccess && next.isComplete,
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
    ),
  ]
}

function counterProblems(next: JobState, old: JobState): FieldProblems {
  const isScalable =
    next.spec['completionMode'] === 'Indexed' &&
    next.spec['completions'] === next.spec['parallelism']
  const counters = isScalable ? ['failed'] : ['failed', 'succeeded']
  return counters.flatMap((name) => {
    const count = numberAt(next.status, name) ?? 0
    return problemIf(
      count < (numberAt(old.status, name) ?? 0),
      invalidField(`status.${name}`, count, `cannot decrease the ${name} counter`),
    )
  })
}

/** What a write of the status cannot take back. */
function transitionProblems(next: JobState, old: JobState): FieldProblems {
  const terminal = [
    ['Failed', 'isFailed'],
    ['Complete', 'isComplete'],
    ['FailureTarget', 'isFailureTarget'],
  ] as const
  const before = old.status['completionTime']
  const after = next.status['completionTime']
  const started = old.status['startTime']
  const isResumed = old.suspended === 'True' && next.suspended === 'False'
  const isRestarted = started !== undefined && started !== next.status['startTime'] && !isResumed
  return [
    ...terminal.flatMap(([type, is]) =>
      conditionProblem(old[is] && !next[is], `cannot disable the terminal ${type}=True condition`),
    ),
    ...counterProblems(next, old),
    ...problemIf(
      before !== undefined && after !== undefined && before !== after,
      invalidField('status.completionTime', after, 'field is immutable'),
    ),
    ...problemIf(
      isRestarted && next.spec['suspend'] !== true,
      requiredField('status.startTime', 'startTime cannot be removed for unsuspended job'),
    ),
    ...conditionProblem(
      old.isSuccess && !next.isSuccess,
      'cannot disable the SuccessCriteriaMet=True condition',
    ),
    ...conditionProblem(
      old.isComplete && !old.isSuccess && next.isSuccess,
      'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
    ),
  ]
}

/** Problems of a written job status. Source: pkg/apis/batch/validation ValidateJobStatusUpdate (v1.34). */
export function jobStatusProblems(nextJob: KubeObject, oldJob: KubeObject): FieldProblems {
  const next = stateOf(nextJob)
  const old = stateOf(oldJob)
  const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating']
  return [
    ...nonnegativeFields(next.status, 'status', counts),
    ...uncountedProblems(next),
    ...completionProblems(next, old),
    ...finishedProblems(next, old),
    ...indexProblems(next, old),
    ...podCountProblems(next, old),
    ...transitionProblems(next, old),
  ]
}
