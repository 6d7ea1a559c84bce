import type { IngressSpec } from '../api/index.ts';

/** What every way of reaching a frontend from outside has. */
export interface IngressBaseOptions {
  /** Name of the host, before its domain. */
  readonly host: string;
  /**
   * Domain put after the host and a dot.
   * @default - the operator's, `local`
   */
  readonly domain?: string;
  /**
   * Text put before the host.
   * @default - none
   */
  readonly hostPrefix?: string;
  /**
   * Annotations of the Ingress or VirtualService.
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * Labels of the Ingress or VirtualService.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
}

/** How a frontend is reached from outside: by an Ingress of a class, or by a VirtualService of an Istio gateway. */
export type IngressOptions = IngressBaseOptions &
  (
    | {
        /** Class of the Ingress, such as `nginx`; without one the operator creates nothing. */
        readonly className: string;
        /**
         * Secret with the certificate.
         * @default - no TLS
         */
        readonly tlsSecret?: { readonly name: string };
        readonly gateway?: undefined;
      }
    | {
        /** Istio gateway of the VirtualService, such as `istio-system/ingress`. */
        readonly gateway: string;
        readonly className?: undefined;
        readonly tlsSecret?: undefined;
      }
  );

/** Writes an ingress as the API spells it. */
export function renderIngress(options: IngressOptions): IngressSpec {
  const { host, domain, hostPrefix, annotations, labels } = options;
  const common = {
    enabled: true,
    host,
    ...(hostPrefix === undefined ? {} : { hostPrefix }),
    ...(domain === undefined ? {} : { hostSuffix: domain }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(labels === undefined ? {} : { labels }),
  };
  if (options.gateway !== undefined) return { ...common, useVirtualService: true, virtualServiceGateway: options.gateway };
  const { className, tlsSecret } = options;
  return {
    ...common,
    ingressControllerClassName: className,
    ...(tlsSecret === undefined ? {} : { tls: { secretName: tlsSecret.name } }),
  };
}
