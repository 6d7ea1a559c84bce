# The operator: one executable file, /manager, beside the Node that runs it. No shell, no package manager, no node_modules.
# `npm run image` builds it; with `--node-image` from a mirror.
ARG NODE_IMAGE=node:20.20.2-bookworm-slim

# The bundle is the same for every platform, so it is made on the builder's own.
FROM --platform=${BUILDPLATFORM:-linux/amd64} ${NODE_IMAGE} AS bundle
WORKDIR /source
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts ./scripts
COPY lib ./lib
RUN node scripts/build.mjs --manager-only

# Node and its shared libraries are those of the platform the image is for.
FROM ${NODE_IMAGE} AS files
COPY --from=bundle /source/build/manager /source/build/manager
COPY scripts/image-files.sh /source/image-files.sh
RUN sh /source/image-files.sh /source/build/manager /image

FROM scratch
LABEL org.opencontainers.image.title="dynamo-cdk8s operator" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=files /image /
USER 65532:65532
ENTRYPOINT ["/manager"]
