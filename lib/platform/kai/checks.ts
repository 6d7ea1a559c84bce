import type { Issue } from '../../api/index.ts';
import type { CheckedPart } from '../checked-part.ts';
import type { JsonObject } from '../../json/index.ts';
import { atPath, truthy } from '../go-values.ts';
import { missingBlocks } from '../needed-blocks.ts';

const neededBlocks = [
  'global global.resourceReservation operator operator.image podgroupcontroller podgroupcontroller.image binder binder.image binder.ports',
  'binder.resourceReservationImage scheduler scheduler.image scheduler.ports admission admission.image admission.ports',
  'queuecontroller queuecontroller.image nodescaleadjuster nodescaleadjuster.image crdupgrader crdupgrader.image',
];

/** Checks the effective values: blocks that the templates require, and values that version v0.9.4 cannot render. */
export function checkKai(values: JsonObject): CheckedPart {
  const missing = missingBlocks('kai-scheduler', values, neededBlocks);
  const refused: readonly Issue[] = truthy(atPath(values, 'podgroupcontroller.resources'))
    ? [
        {
          path: ['kai-scheduler', 'podgroupcontroller', 'resources'],
          code: 'unsupported',
          message: 'must be empty: version v0.9.4 of KAI cannot be rendered with it',
        },
      ]
    : [];
  return { issues: [...missing, ...refused], warnings: [], isUnrenderable: missing.length > 0 };
}
