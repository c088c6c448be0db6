/**
 * The real device: RDMA hardware, or the kernel's Soft-RoCE and siw, through libibverbs.
 *
 * <p>Control verbs are functions of {@code libibverbs.so.1}, called through jnr-ffi. Post, poll and arm are inline
 * functions in C, which call pointers in the device's {@code ibv_context}; so does this package, by jffi's
 * {@code Invoker}, in some 8 ns a call and without allocating.
 */
package org.onesided.verbs.ibv;
