import type { JsonObject } from '../../../src/shared/json.ts'
import { seededRandom } from '../../../src/main/clock/seeded-random.ts'
import { RandomPicker } from '../../random-picker.ts'
import { create, failPod, finishPod, pass, patch, remove, setReady } from './acts.ts'
import type { Act } from './acts.ts'
import { cascades, randomActs, template } from './basic-sequences.ts'
import type { Sequence } from './basic-sequences.ts'

/** A Job's controller collects changes of pods for a second. */
export const quietMs = 1300

const job = 'work'

function jobOf(spec: JsonObject, image = 'registry.example/run:1'): JsonObject {
  return {
    metadata: { name: job },
    spec: { template: template(image, { restartPolicy: 'Never' }), ...spec },
  }
}

function sequence(name: string, ...acts: readonly Act[]): Sequence {
  return { name: `jobs-${name}`, acts, quietMs }
}

function timed(name: string, ...acts: readonly Act[]): Sequence {
  return { ...sequence(name, ...acts), comparesOnlyEnd: true }
}

function random(seed: number): Sequence {
  const picker = new RandomPicker(seededRandom(seed).fork('jobs'))
  const isIndexed = picker.is(0.5)
  const spec = {
    completions: picker.whole(2, 5),
    parallelism: picker.whole(1, 3),
    backoffLimit: picker.whole(1, 5),
    ...(isIndexed ? { completionMode: 'Indexed' } : {}),
    ...(picker.is(0.3) ? { podReplacementPolicy: 'Failed' } : {}),
  }
  const acts = randomActs(picker, 6, [
    () => finishPod(picker.below(3)),
    () => finishPod(picker.below(3)),
    () => patch('jobs', job, { spec: { suspend: picker.is(0.5) } }, 'merge-patch'),
    () => patch('jobs', job, { spec: { parallelism: picker.below(4) } }, 'merge-patch'),
    () => setReady(picker.below(3), 'False'),
  ])
  return sequence(
    String(seed),
    create('jobs', jobOf(spec)),
    ...acts,
    remove('jobs', job, picker.of(cascades)),
  )
}

export const jobSequences: readonly Sequence[] = [
  sequence(
    'complete',
    create('jobs', jobOf({ completions: 3, parallelism: 2 }, 'registry.example/succeed:1')),
  ),
  sequence(
    'queue',
    create('jobs', jobOf({ parallelism: 3 })),
    finishPod(0),
    finishPod(1),
    failPod(1),
  ),
  timed(
    'back-off',
    create('jobs', jobOf({ backoffLimit: 1 }, 'registry.example/fail:1')),
    pass(12),
  ),
  timed(
    'indexed',
    create('jobs', jobOf({ completions: 4, parallelism: 2, completionMode: 'Indexed' })),
    finishPod(1),
    failPod(0),
    pass(12),
    finishPod(0),
    finishPod(0),
    finishPod(0),
  ),
  timed(
    'per-index',
    create(
      'jobs',
      jobOf({
        completions: 3,
        parallelism: 3,
        completionMode: 'Indexed',
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 2,
      }),
    ),
    failPod(0),
    pass(12),
    failPod(0),
    pass(2),
    finishPod(0),
    finishPod(0),
  ),
  timed(
    'policy',
    create(
      'jobs',
      jobOf({
        completions: 3,
        parallelism: 3,
        backoffLimit: 4,
        podFailurePolicy: {
          rules: [
            { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
            { action: 'Ignore', onExitCodes: { containerName: 'c', operator: 'In', values: [7] } },
          ],
        },
      }),
    ),
    failPod(0, 7),
    pass(12),
    failPod(0, 42),
  ),
  sequence(
    'success-policy',
    create(
      'jobs',
      jobOf({
        completions: 4,
        parallelism: 4,
        completionMode: 'Indexed',
        successPolicy: { rules: [{ succeededIndexes: '0,2-3', succeededCount: 2 }] },
      }),
    ),
    finishPod(0),
    finishPod(2),
  ),
  sequence(
    'suspend',
    create('jobs', jobOf({ completions: 2, parallelism: 2, suspend: true })),
    patch('jobs', job, { spec: { suspend: false } }, 'merge-patch'),
    patch('jobs', job, { spec: { suspend: true } }, 'merge-patch'),
    patch('jobs', job, { spec: { suspend: false } }, 'merge-patch'),
    remove('jobs', job, 'Foreground'),
  ),
  timed(
    'deadline',
    create('jobs', jobOf({ activeDeadlineSeconds: 8, parallelism: 2, completions: 2 })),
    pass(8),
  ),
  timed(
    'ttl',
    create('jobs', jobOf({ ttlSecondsAfterFinished: 3 }, 'registry.example/succeed:1')),
    pass(4),
  ),
  ...[1, 2, 3, 4].map(random),
]
