import { basicSequences } from './basic-sequences.ts'
import type { Sequence } from './basic-sequences.ts'
import { claimSequences } from './claim-sequences.ts'
import { garbageSequences } from './garbage-sequences.ts'
import { cronJobSequences } from './cron-job-sequences.ts'
import { jobSequences } from './job-sequences.ts'
import { setSequences } from './set-sequences.ts'

export const sequences: readonly Sequence[] = [
  ...basicSequences,
  ...jobSequences,
  ...cronJobSequences,
  ...setSequences,
  ...claimSequences,
  ...garbageSequences,
]
