package org.onesided.verbs;

/**
 * What a queue pair is made with (ibv_create_qp(3)).
 *
 * @param sendQueue         gets completions of sends.
 * @param receiveQueue      gets completions of receives; may be the same.
 * @param sharedReceives    shared receive queue, or null for receives of its own.
 * @param maxSends          outstanding send requests.
 * @param maxReceives       outstanding receives.
 * @param maxSendElements   scatter/gather elements of a send request.
 * @param maxReceiveElements scatter/gather elements of a receive.
 * @param maxInline         bytes that a send request may carry inline.
 * @param signalAll         whether every send request completes as if signaled ({@code sq_sig_all}).
 * @param untrustedPeer     whether the peer's process may be hostile: a software device then believes no shared word
 *                          unchecked and never maps a file that the peer made, which it could shrink, but copies by
 *                          system calls. That is no guard against a process of the same user that truncates this
 *                          side's own files. Hardware needs no such care and ignores it.
 */
public record QueuePairInitAttributes(
    CompletionQueue sendQueue,
    CompletionQueue receiveQueue,
    SharedReceiveQueue sharedReceives,
    int maxSends,
    int maxReceives,
    int maxSendElements,
    int maxReceiveElements,
    int maxInline,
    boolean signalAll,
    boolean untrustedPeer)
{
}
