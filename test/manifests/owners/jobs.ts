import type { OwnerCase } from '../manifest-case.ts'
import { job } from './objects.ts'

const never = 'restartPolicy: Never'

export const jobCases: readonly OwnerCase[] = [
  {
    name: 'once',
    kind: 'Job',
    about: 'a Job with one pod',
    yaml: job('once', 'backoffLimit: 4', 'echo 3.14'),
    seconds: 60,
    outcome: 'Complete 1/1',
    pods: ['1x 0/1 Completed 0'],
    conditions: ['Complete=True CompletionsReached', 'SuccessCriteriaMet=True CompletionsReached'],
  },
  {
    name: 'fixed',
    kind: 'Job',
    about: 'five completions, two at a time',
    yaml: job('fixed', 'completions: 5\nparallelism: 2', 'sleep 5'),
    seconds: 90,
    outcome: 'Complete 5/5',
    pods: ['5x 0/1 Completed 0'],
  },
  {
    name: 'queue',
    kind: 'Job',
    about: 'a work queue: no completions, two pods',
    yaml: job('queue', 'parallelism: 2', 'sleep 5'),
    seconds: 60,
    outcome: 'Complete 2/1 of 2',
    pods: ['2x 0/1 Completed 0'],
  },
  {
    name: 'indexed',
    kind: 'Job',
    about: 'an indexed Job',
    yaml: job(
      'indexed',
      'completions: 4\nparallelism: 2\ncompletionMode: Indexed',
      'echo item $JOB_COMPLETION_INDEX',
    ),
    seconds: 60,
    outcome: 'Complete 4/4',
    pods: ['4x 0/1 Completed 0'],
  },
  {
    name: 'static-work',
    kind: 'Job',
    about: 'an indexed Job whose init containers choose their work from a list in bash',
    yaml: `apiVersion: batch/v1
kind: Job
metadata: { name: static-work }
spec:
  completions: 5
  parallelism: 3
  completionMode: Indexed
  template:
    spec:
      restartPolicy: Never
      volumes: [{ name: input, emptyDir: {} }]
      initContainers:
        - name: input
          image: docker.io/library/bash
          command: [bash, -c, 'items=(foo bar baz qux xyz); echo \${items[$JOB_COMPLETION_INDEX]} > /input/data.txt']
          volumeMounts: [{ name: input, mountPath: /input }]
      containers:
        - name: worker
          image: docker.io/library/busybox
          command: [rev, /input/data.txt]
          volumeMounts: [{ name: input, mountPath: /input }]`,
    seconds: 60,
    outcome: 'Complete 5/5',
    pods: ['5x 0/1 Completed 0'],
  },
  {
    name: 'failing',
    kind: 'Job',
    about: 'a Job that reaches its backoffLimit',
    yaml: job('failing', 'backoffLimit: 2', 'exit 1'),
    seconds: 90,
    outcome: 'Failed 0/1',
    pods: ['3x 0/1 Error 0'],
    conditions: ['Failed=True BackoffLimitExceeded', 'FailureTarget=True BackoffLimitExceeded'],
    warnings: ['BackoffLimitExceeded'],
  },
  {
    name: 'restarted',
    kind: 'Job',
    about: 'the same with restartPolicy OnFailure: its only pod is deleted',
    yaml: job('restarted', 'backoffLimit: 2', 'exit 1', 'restartPolicy: OnFailure'),
    seconds: 120,
    outcome: 'Failed 0/1',
    pods: [],
    warnings: ['BackOff', 'BackoffLimitExceeded'],
  },
  {
    name: 'per-index',
    kind: 'Job',
    about: 'backoffLimitPerIndex: two of four indexes fail',
    yaml: job(
      'per-index',
      'completions: 4\nparallelism: 4\ncompletionMode: Indexed\nbackoffLimitPerIndex: 1',
      'test $JOB_COMPLETION_INDEX -gt 1',
    ),
    seconds: 90,
    outcome: 'Failed 2/4',
    pods: ['2x 0/1 Completed 0', '4x 0/1 Error 0'],
    conditions: ['Failed=True FailedIndexes', 'FailureTarget=True FailedIndexes'],
    warnings: ['FailedIndexes'],
  },
  {
    name: 'max-failed-indexes',
    kind: 'Job',
    about: 'maxFailedIndexes ends a Job while other indexes run',
    yaml: job(
      'max-failed-indexes',
      'completions: 4\nparallelism: 4\ncompletionMode: Indexed\nbackoffLimitPerIndex: 0\nmaxFailedIndexes: 1',
      'test $JOB_COMPLETION_INDEX -gt 1 && sleep 600',
      `${never}\nterminationGracePeriodSeconds: 2`,
    ),
    seconds: 60,
    outcome: 'Failed 0/4',
    // The Job deletes the pods that still run.
    pods: ['2x 0/1 Error 0'],
    conditions: [
      'Failed=True MaxFailedIndexesExceeded',
      'FailureTarget=True MaxFailedIndexesExceeded',
    ],
    warnings: ['MaxFailedIndexesExceeded'],
  },
  {
    name: 'fatal-exit-code',
    kind: 'Job',
    about: 'a podFailurePolicy that fails the Job for an exit code',
    yaml: job(
      'fatal-exit-code',
      `backoffLimit: 6
podFailurePolicy:
  rules:
    - action: FailJob
      onExitCodes: { containerName: main, operator: In, values: [42] }`,
      'sleep 5; exit 42',
    ),
    seconds: 60,
    outcome: 'Failed 0/1',
    pods: ['1x 0/1 Error 0'],
    conditions: ['Failed=True PodFailurePolicy', 'FailureTarget=True PodFailurePolicy'],
    warnings: ['PodFailurePolicy'],
  },
  {
    name: 'ignored-exit-code',
    kind: 'Job',
    about: 'a podFailurePolicy that does not count an exit code',
    yaml: job(
      'ignored-exit-code',
      `backoffLimit: 0
completions: 2
parallelism: 2
completionMode: Indexed
podFailurePolicy:
  rules:
    - action: Count
      onExitCodes: { operator: In, values: [1] }
    - action: Ignore
      onExitCodes: { operator: In, values: [7] }`,
      'test $JOB_COMPLETION_INDEX = 1 || { sleep 50; exit 1; }',
    ),
    seconds: 90,
    outcome: 'Failed 1/2',
    pods: ['1x 0/1 Completed 0', '1x 0/1 Error 0'],
    warnings: ['BackoffLimitExceeded'],
  },
  {
    name: 'deadline',
    kind: 'Job',
    about: 'activeDeadlineSeconds ends a Job',
    yaml: job(
      'deadline',
      'activeDeadlineSeconds: 20',
      'sleep 600',
      `${never}\nterminationGracePeriodSeconds: 2`,
    ),
    seconds: 60,
    outcome: 'Failed 0/1',
    pods: [],
    conditions: ['Failed=True DeadlineExceeded', 'FailureTarget=True DeadlineExceeded'],
    warnings: ['DeadlineExceeded'],
  },
  {
    name: 'suspended',
    kind: 'Job',
    about: 'a suspended Job',
    yaml: job('suspended', 'suspend: true', 'sleep 5'),
    seconds: 30,
    outcome: 'Suspended 0/1',
    pods: [],
    conditions: ['Suspended=True JobSuspended'],
  },
  {
    name: 'resumed',
    kind: 'Job',
    about: 'a suspended Job that is resumed',
    yaml: job('resumed', 'suspend: true', 'sleep 5'),
    later: job('resumed', 'suspend: false', 'sleep 5'),
    seconds: 80,
    outcome: 'Complete 1/1',
    pods: ['1x 0/1 Completed 0'],
    conditions: [
      'Complete=True CompletionsReached',
      'SuccessCriteriaMet=True CompletionsReached',
      'Suspended=False JobResumed',
    ],
  },
  {
    name: 'cleaned-up',
    kind: 'Job',
    about: 'ttlSecondsAfterFinished removes the Job and its pods',
    yaml: job('cleaned-up', 'ttlSecondsAfterFinished: 20', 'echo done'),
    seconds: 90,
    outcome: 'NotFound',
    pods: [],
  },
  {
    name: 'success-policy',
    kind: 'Job',
    about: 'a successPolicy: the leader decides',
    yaml: job(
      'success-policy',
      `completions: 3
parallelism: 3
completionMode: Indexed
successPolicy:
  rules: [{ succeededIndexes: '0' }]`,
      'test $JOB_COMPLETION_INDEX = 0 || sleep 600',
      `${never}\nterminationGracePeriodSeconds: 2`,
    ),
    seconds: 60,
    outcome: 'Complete 1/3',
    pods: ['1x 0/1 Completed 0'],
    conditions: ['Complete=True SuccessPolicy', 'SuccessCriteriaMet=True SuccessPolicy'],
  },
]
