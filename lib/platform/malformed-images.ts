import { malformedImage, type KubernetesObject } from '../api/index.ts';
import { listImages } from './list-images.ts';

/** An image that no node can pull, and what its reference must be. */
interface MalformedImage {
  readonly image: string;
  readonly reason: string;
}

/** Images of an object whose references the kubelet cannot parse. The API server accepts any string for them. */
export function malformedImages(object: KubernetesObject): readonly MalformedImage[] {
  return listImages([object]).flatMap(({ image }) => {
    const reason = malformedImage(image);
    return reason === undefined ? [] : [{ image, reason }];
  });
}
