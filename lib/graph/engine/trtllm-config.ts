/** KV cache settings of TensorRT-LLM. */
export interface TrtllmKvCacheConfig {
  readonly enable_block_reuse?: boolean;
  readonly enable_partial_reuse?: boolean;
  readonly copy_on_partial_reuse?: boolean;
  readonly max_tokens?: number | null;
  readonly max_attention_window?: readonly number[] | null;
  readonly sink_token_length?: number | null;
  readonly free_gpu_memory_fraction?: number | null;
  readonly max_gpu_total_bytes?: number;
  readonly host_cache_size?: number | null;
  readonly onboard_blocks?: boolean;
  readonly cross_kv_cache_fraction?: number | null;
  readonly secondary_offload_min_priority?: number | null;
  readonly event_buffer_max_size?: number;
  readonly attention_dp_events_gather_period_ms?: number;
  readonly use_uvm?: boolean;
  readonly dtype?: string;
  readonly mamba_ssm_cache_dtype?: string;
  readonly tokens_per_block?: number;
}

/** Settings of TensorRT-LLM for the transfer of KV blocks between prefill and decode workers. */
export interface TrtllmCacheTransceiverConfig {
  readonly backend?: 'DEFAULT' | 'NIXL' | 'UCX' | 'MPI' | 'MOONCAKE';
  readonly max_tokens_in_buffer?: number | null;
  readonly kv_transfer_timeout_ms?: number | null;
  readonly kv_transfer_sender_future_timeout_ms?: number | null;
}

/** CUDA graph settings of TensorRT-LLM. */
export interface TrtllmCudaGraphConfig {
  readonly batch_sizes?: readonly number[] | null;
  readonly max_batch_size?: number;
  readonly enable_padding?: boolean;
}

/** Mixture-of-experts settings of TensorRT-LLM. */
export interface TrtllmMoeConfig {
  readonly backend?: 'AUTO' | 'CUTLASS' | 'CUTEDSL' | 'WIDEEP' | 'TRTLLM' | 'DEEPGEMM' | 'VANILLA' | 'TRITON';
  readonly max_num_tokens?: number | null;
  readonly load_balancer?: Readonly<Record<string, unknown>> | string | null;
  readonly disable_finalize_fusion?: boolean;
  readonly use_low_precision_moe_combine?: boolean;
}

/** Limits of the engine that TensorRT-LLM builds. */
export interface TrtllmBuildConfig {
  readonly max_batch_size?: number;
  readonly max_num_tokens?: number;
  readonly max_seq_len?: number;
  readonly max_input_len?: number;
  readonly max_beam_width?: number;
}

type Section = Readonly<Record<string, unknown>> | null;

/** TensorRT-LLM's configuration, with the keys of its YAML file; `null` is kept. Other keys go into `extraConfig`. */
export interface TrtllmConfig {
  readonly backend?: 'pytorch' | 'tensorrt' | '_autodeploy';
  readonly dtype?: string;
  readonly revision?: string | null;
  readonly tokenizer_revision?: string | null;
  readonly trust_remote_code?: boolean;
  readonly skip_tokenizer_init?: boolean;
  readonly load_format?: string | number;
  readonly checkpoint_format?: string | null;
  readonly tensor_parallel_size?: number;
  readonly pipeline_parallel_size?: number;
  readonly context_parallel_size?: number;
  readonly gpus_per_node?: number | null;
  readonly moe_cluster_parallel_size?: number | null;
  readonly moe_tensor_parallel_size?: number | null;
  readonly moe_expert_parallel_size?: number | null;
  readonly enable_attention_dp?: boolean;
  readonly attention_dp_config?: Section;
  readonly enable_lm_head_tp_in_adp?: boolean;
  readonly cp_config?: Section;
  readonly max_batch_size?: number | null;
  readonly max_num_tokens?: number | null;
  readonly max_seq_len?: number | null;
  readonly max_input_len?: number | null;
  readonly max_beam_width?: number | null;
  readonly kv_cache_config?: TrtllmKvCacheConfig | null;
  readonly cache_transceiver_config?: TrtllmCacheTransceiverConfig | null;
  readonly cuda_graph_config?: TrtllmCudaGraphConfig | null;
  readonly moe_config?: TrtllmMoeConfig | null;
  readonly build_config?: TrtllmBuildConfig | null;
  readonly scheduler_config?: Section;
  readonly speculative_config?: Section;
  readonly sparse_attention_config?: Section;
  readonly torch_compile_config?: Section;
  readonly kv_connector_config?: Section;
  readonly lora_config?: Section;
  readonly peft_cache_config?: Section;
  readonly decoding_config?: Section;
  readonly enable_lora?: boolean;
  readonly enable_chunked_prefill?: boolean;
  readonly disable_overlap_scheduler?: boolean;
  readonly guided_decoding_backend?: string | null;
  readonly attn_backend?: string;
  readonly sampler_type?: string;
  readonly allreduce_strategy?: string | null;
  readonly orchestrator_type?: string | null;
  readonly reasoning_parser?: string | null;
  readonly enable_iter_perf_stats?: boolean;
  readonly enable_iter_req_stats?: boolean;
  readonly return_perf_metrics?: boolean;
  readonly perf_metrics_max_requests?: number;
  readonly print_iter_log?: boolean;
  readonly enable_autotuner?: boolean;
  readonly enable_layerwise_nvtx_marker?: boolean;
  readonly enable_min_latency?: boolean;
  readonly force_dynamic_quantization?: boolean;
  readonly gather_generation_logits?: boolean;
  readonly num_postprocess_workers?: number;
  readonly stream_interval?: number;
  readonly iter_stats_max_iterations?: number | null;
  readonly request_stats_max_iterations?: number | null;
  readonly garbage_collection_gen0_threshold?: number;
  readonly batch_wait_timeout_ms?: number;
  readonly batch_wait_timeout_iters?: number;
  readonly batch_wait_max_tokens_ratio?: number;
  readonly otlp_traces_endpoint?: string | null;
}
