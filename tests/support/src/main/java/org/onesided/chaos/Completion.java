package org.onesided.chaos;

import static org.onesided.verbs.CompletionDescriptor.*;

import org.agrona.UnsafeApi;
import org.onesided.verbs.CompletionStatus;

/**
 * A completion as its poster gets it.
 *
 * @param queuePair  it belongs to.
 * @param id         of the request.
 * @param status     see {@link CompletionStatus}.
 * @param opcode     as in {@code ibv_wc}.
 * @param vendor     the vendor's own code of an error.
 * @param byteLength of what arrived.
 * @param immediate  data, in network byte order.
 * @param flags      as in {@code ibv_wc}.
 * @param freeUpTo   up to which position polling it frees the send queue; 0 for receives.
 */
record Completion(
    ChaosQueuePair queuePair,
    long id,
    int status,
    int opcode,
    int vendor,
    int byteLength,
    int immediate,
    int flags,
    long freeUpTo)
{
    static Completion ofReceive(final ChaosQueuePair queuePair, final long address)
    {
        return new Completion(
            queuePair,
            UnsafeApi.getLong(address + ID_OFFSET),
            UnsafeApi.getInt(address + STATUS_OFFSET),
            UnsafeApi.getInt(address + OPCODE_OFFSET),
            UnsafeApi.getInt(address + VENDOR_ERROR_OFFSET),
            UnsafeApi.getInt(address + BYTE_LENGTH_OFFSET),
            UnsafeApi.getInt(address + IMMEDIATE_OFFSET),
            UnsafeApi.getInt(address + FLAGS_OFFSET),
            0);
    }

    boolean hasFailed()
    {
        return status != CompletionStatus.SUCCESS;
    }

    void write(final long address)
    {
        UnsafeApi.putLong(address + ID_OFFSET, id);
        UnsafeApi.putInt(address + STATUS_OFFSET, status);
        UnsafeApi.putInt(address + OPCODE_OFFSET, opcode);
        UnsafeApi.putInt(address + VENDOR_ERROR_OFFSET, vendor);
        UnsafeApi.putInt(address + BYTE_LENGTH_OFFSET, byteLength);
        UnsafeApi.putInt(address + IMMEDIATE_OFFSET, immediate);
        UnsafeApi.putInt(address + QUEUE_PAIR_OFFSET, queuePair.number());
        UnsafeApi.putInt(address + SOURCE_QUEUE_PAIR_OFFSET, 0);
        UnsafeApi.putInt(address + FLAGS_OFFSET, flags);
        for (int i = FLAGS_OFFSET + Integer.BYTES; i < LENGTH; i += Integer.BYTES)
        {
            UnsafeApi.putInt(address + i, 0);
        }
    }
}
