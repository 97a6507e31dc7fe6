import type { JsonObject } from '../../../src/shared/json.ts'
import {
  atSecond,
  create,
  createJobFrom,
  deleteJob,
  endPods,
  inOne,
  makeDue,
  onceThereIsJob,
  patch,
  remove,
} from './acts.ts'
import type { Act } from './acts.ts'
import { cascades, template } from './basic-sequences.ts'
import type { Sequence } from './basic-sequences.ts'
import { quietMs } from './job-sequences.ts'

const name = 'tick'

/** Schedules that are due once a year. */
const newYear = '0 0 1 1 *'
const dayAfter = '0 0 2 1 *'
const twoDaysAfter = '0 0 3 1 *'

function cronJob(spec: JsonObject, job: JsonObject = {}, image = 'registry.example/run:1'): Act {
  const jobTemplate = {
    spec: { template: template(image, { restartPolicy: 'Never' }), backoffLimit: 0, ...job },
  }
  return create('cronjobs', {
    metadata: { name },
    spec: { schedule: newYear, jobTemplate, ...spec },
  })
}

function change(spec: JsonObject): Act {
  return patch('cronjobs', name, { spec }, 'merge-patch')
}

function sequence(title: string, ...acts: readonly Act[]): Sequence {
  return { name: `cron-jobs-${title}`, acts, quietMs }
}

export const cronJobSequences: readonly Sequence[] = [
  sequence('complete', cronJob({}), makeDue(name), endPods('Succeeded'), remove('cronjobs', name)),
  sequence('fail', cronJob({}), makeDue(name), endPods('Failed')),
  sequence(
    'allow',
    cronJob({ timeZone: 'America/New_York' }),
    makeDue(name),
    change({ schedule: dayAfter }),
    makeDue(name),
    endPods('Succeeded'),
  ),
  sequence(
    'forbid',
    cronJob({ concurrencyPolicy: 'Forbid' }),
    makeDue(name),
    change({ schedule: dayAfter }),
    makeDue(name),
    endPods('Succeeded'),
  ),
  sequence(
    'replace',
    cronJob({ concurrencyPolicy: 'Replace' }),
    makeDue(name),
    change({ schedule: dayAfter }),
    makeDue(name),
    endPods('Succeeded'),
  ),
  sequence(
    'history',
    // With 0, upstream misses a Job that it has just deleted, if its cache is late.
    cronJob({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 }),
    makeDue(name),
    endPods('Succeeded'),
    change({ schedule: dayAfter }),
    makeDue(name),
    endPods('Succeeded'),
    change({ schedule: twoDaysAfter }),
    makeDue(name),
    endPods('Failed'),
    change({ successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 }),
  ),
  sequence(
    'suspend',
    cronJob({ suspend: true }),
    makeDue(name),
    change({ suspend: false }),
    change({ suspend: true }),
    remove('cronjobs', name, 'Foreground'),
  ),
  sequence('too-many', cronJob({ schedule: '0 0 * * *' }), makeDue(name)),
  sequence(
    'deadline',
    cronJob({ schedule: dayAfter, startingDeadlineSeconds: 100 }),
    makeDue(name),
  ),
  sequence('never', cronJob({ schedule: '59 23 31 2 *' })),
  sequence('missing', cronJob({}), makeDue(name), deleteJob(0)),
  sequence(
    'unexpected',
    cronJob({ concurrencyPolicy: 'Forbid' }),
    createJobFrom(name, 'by-hand'),
    makeDue(name),
    endPods('Succeeded'),
  ),
  sequence(
    'refused',
    cronJob({
      jobTemplate: {
        metadata: { labels: { 'no/such/key': 'x' } },
        spec: { template: template('registry.example/run:1', { restartPolicy: 'Never' }) },
      },
    }),
    makeDue(name),
  ),
  {
    ...sequence(
      'minute',
      // At once: on a busy machine the controllers come to rest only after more than a minute.
      inOne(
        atSecond(50, cronJob({ schedule: '* * * * *' }, {}, 'registry.example/succeed:1')),
        onceThereIsJob(change({ suspend: true })),
      ),
    ),
    comparesOnlyEnd: true,
  },
  ...cascades.map((cascade, index) =>
    sequence(`cascade-${index}`, cronJob({}), makeDue(name), remove('cronjobs', name, cascade)),
  ),
]
