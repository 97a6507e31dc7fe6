import type { ActFacts } from '../../../../shared/model/act.ts'

/** The container that a key acts on: the one with the focus, else the first regular one that runs. Pure. */
export function keyedContainer({ containers }: ActFacts, focused: string): string | undefined {
  const regular = containers.filter(({ kind }) => kind === 'container')
  const found =
    containers.find(({ name }) => name === focused) ??
    regular.find(({ isRunning }) => isRunning) ??
    containers.find(({ isRunning }) => isRunning) ??
    regular[0]
  return found?.name
}
