import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import { maxNodeScore } from '../framework.ts'
import type { ScorePlugin } from '../framework.ts'

/** Source: pkg/scheduler/framework/plugins/imagelocality (v1.34). */

const mb = 1024 * 1024
const minThreshold = 23 * mb
const maxContainerThreshold = 1000 * mb

function withTag(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image
}

function wantedImages({ spec }: Pod): readonly string[] {
  return [...(spec.initContainers ?? []), ...spec.containers].map(({ image = '' }) =>
    withTag(image),
  )
}

/** Nodes that have the images of the pod; an image on few nodes counts less, so that pods do not gather there. */
export const imageLocality: ScorePlugin = {
  name: 'ImageLocality',
  weight: 1,
  prepare: ({ pod }, _feasible, { snapshot }) => {
    const images = wantedImages(pod)
    const most = maxContainerThreshold * images.length
    return {
      score: (node) => {
        let sum = 0
        for (const image of images) {
          if (!node.images.has(image)) continue
          const { size, nodes } = snapshot.imageState(image)
          sum += Math.trunc(size * (nodes / snapshot.nodes.length))
        }
        const bounded = sum < minThreshold ? minThreshold : Math.min(sum, most)
        return Math.trunc((maxNodeScore * (bounded - minThreshold)) / (most - minThreshold))
      },
    }
  },
}
