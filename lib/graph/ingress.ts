import type { IngressSpec } from '../api/index.ts';

/** Options of an Ingress or VirtualService. */
export interface IngressBaseOptions {
  /** Host name without its domain. */
  readonly host: string;
  /**
   * Domain, appended to the host with a dot.
   * @default - the operator's, `local`
   */
  readonly domain?: string;
  /**
   * Prefix of the host.
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

/** How a frontend is reached from outside the cluster: through an Ingress, or a VirtualService of an Istio gateway. */
export type IngressOptions = IngressBaseOptions &
  (
    | {
        /** Class of the Ingress, such as `nginx`; the operator creates no Ingress without one. */
        readonly className: string;
        /**
         * Secret with the TLS certificate.
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

/** Converts ingress options to API format. */
export function ingressSpec(options: IngressOptions): IngressSpec {
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
