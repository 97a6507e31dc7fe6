import type { PodRow } from '../../shared/model/pod-row.ts'
import type { Stage } from './stage.ts'

/** The node of an exhibit that has but one, and the first of one that has two. */
export const alone = 'node-a'
export const other = 'node-b'

/** Until the only pod of that name runs, and the API says so. */
export async function untilRuns(stage: Stage, name: string): Promise<PodRow> {
  await stage.until(`${name} runs`, () => {
    const [row] = stage.rows(name)
    return row?.status === 'Running' && (row.mirror === null || row.mirror === 'matched')
  })
  return stage.row(name)
}
