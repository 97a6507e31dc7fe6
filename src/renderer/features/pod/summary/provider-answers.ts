import type { ProviderAnswer } from '../../../../shared/model/explanation/explanation-fields.ts'

/** The questions of pod-workers#queries in its order, as the drawer words them. */
export const providerAnswers: readonly {
  readonly answer: ProviderAnswer
  readonly words: string
}[] = [
  { answer: 'knownTerminated', words: 'known to be terminated' },
  { answer: 'couldHaveRunningContainers', words: 'could have running containers' },
  { answer: 'shouldBeFinished', words: 'should be finished' },
  { answer: 'terminationRequested', words: 'termination requested' },
  { answer: 'containersShouldBeTerminating', words: 'containers should be terminating' },
  { answer: 'runtimeMayBeRemoved', words: 'runtime may be removed' },
  { answer: 'contentMayBeRemoved', words: 'content may be removed' },
  { answer: 'mirrorIsGuarded', words: 'mirror is kept while it stops' },
]
