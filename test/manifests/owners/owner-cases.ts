import type { OwnerCase } from '../manifest-case.ts'
import { aroundPodCases } from './around-pods.ts'
import { cronJobCases } from './cron-jobs.ts'
import { deploymentCases } from './deployments.ts'
import { jobCases } from './jobs.ts'
import { setCases } from './sets.ts'

export const ownerCases: readonly OwnerCase[] = [
  ...deploymentCases,
  ...setCases,
  ...jobCases,
  ...cronJobCases,
  ...aroundPodCases,
]
