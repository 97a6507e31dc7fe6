import type { OwnerCase } from '../manifest-case.ts'
import { cronJob } from './objects.ts'

const eachMinute = `schedule: '* * * * *'`

export const cronJobCases: readonly OwnerCase[] = [
  {
    name: 'tick',
    kind: 'CronJob',
    about: 'a CronJob each minute keeps its last three Jobs',
    yaml: cronJob('tick', eachMinute, 'date; echo hello'),
    seconds: 260,
    outcome: '* * * * * <none> False 0 30s',
    pods: ['3x 0/1 Completed 0'],
    others: { Job: ['3x Complete 1/1'] },
  },
  {
    name: 'failing',
    kind: 'CronJob',
    about: 'a CronJob whose Jobs fail keeps one of them',
    yaml: cronJob('failing', eachMinute, 'exit 1', 'backoffLimit: 0'),
    seconds: 200,
    outcome: '* * * * * <none> False 0 30s',
    pods: ['1x 0/1 Error 0'],
    others: { Job: ['1x Failed 0/1'] },
    warnings: ['BackoffLimitExceeded'],
  },
  {
    name: 'forbid',
    kind: 'CronJob',
    about: 'concurrencyPolicy Forbid: the missed Job starts when the first one ends',
    yaml: cronJob('forbid', `${eachMinute}\nconcurrencyPolicy: Forbid`, 'sleep 90'),
    seconds: 200,
    outcome: '* * * * * <none> False 1 90s',
    pods: ['1x 0/1 Completed 0', '1x 1/1 Running 0'],
    others: { Job: ['1x Complete 1/1', '1x Running 0/1'] },
  },
  {
    name: 'replace',
    kind: 'CronJob',
    about: 'concurrencyPolicy Replace: the Job that still runs is deleted',
    yaml: cronJob('replace', `${eachMinute}\nconcurrencyPolicy: Replace`, 'exec sleep 600'),
    seconds: 235,
    outcome: '* * * * * <none> False 1 5s',
    pods: ['1x 1/1 Running 0', '1x 1/1 Terminating 0'],
    others: { Job: ['1x Running 0/1'] },
  },
  {
    name: 'resumed',
    kind: 'CronJob',
    about: 'a suspended CronJob that is resumed makes up for the last missed time only',
    yaml: cronJob('resumed', `${eachMinute}\nsuspend: true`, 'echo done'),
    later: cronJob('resumed', `${eachMinute}\nsuspend: false`, 'echo done'),
    seconds: 228,
    outcome: '* * * * * <none> False 0 58s',
    pods: ['2x 0/1 Completed 0'],
    others: { Job: ['2x Complete 1/1'] },
  },
  {
    name: 'berlin',
    kind: 'CronJob',
    about: 'a CronJob in a time zone',
    yaml: cronJob('berlin', `schedule: '2 1 * * *'\ntimeZone: Europe/Berlin`, 'date'),
    seconds: 150,
    outcome: '2 1 * * * Europe/Berlin False 0 40s',
    pods: ['1x 0/1 Completed 0'],
    others: { Job: ['1x Complete 1/1'] },
  },
]
