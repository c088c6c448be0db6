package org.onesided.verbs;

/**
 * What a queue pair is made with (ibv_create_qp(3)).
 *
 * @param type              transport; {@link QueuePairType#RC}, others are refused.
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
    QueuePairType type,
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
    /**
     * A reliable connection.
     *
     * @param sendQueue          see there.
     * @param receiveQueue       see there.
     * @param sharedReceives     see there.
     * @param maxSends           see there.
     * @param maxReceives        see there.
     * @param maxSendElements    see there.
     * @param maxReceiveElements see there.
     * @param maxInline          see there.
     * @param signalAll          see there.
     * @param untrustedPeer      see there.
     */
    public QueuePairInitAttributes(
        final CompletionQueue sendQueue,
        final CompletionQueue receiveQueue,
        final SharedReceiveQueue sharedReceives,
        final int maxSends,
        final int maxReceives,
        final int maxSendElements,
        final int maxReceiveElements,
        final int maxInline,
        final boolean signalAll,
        final boolean untrustedPeer)
    {
        this(QueuePairType.RC, sendQueue, receiveQueue, sharedReceives, maxSends, maxReceives, maxSendElements,
            maxReceiveElements, maxInline, signalAll, untrustedPeer);
    }
}
