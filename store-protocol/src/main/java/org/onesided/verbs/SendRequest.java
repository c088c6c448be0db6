package org.onesided.verbs;

import static org.onesided.verbs.SendRequestDescriptor.*;

import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/**
 * Flyweight over one {@code ibv_send_wr} and its scatter/gather elements. Made by {@link SendRequests}; the fields
 * may be changed again once the request was posted. Not thread-safe.
 */
public final class SendRequest
{
    private final long address;
    private final long elements;
    private final int maxElements;

    SendRequest(final long address, final long elements, final int maxElements)
    {
        this.address = address;
        this.elements = elements;
        this.maxElements = maxElements;
        UnsafeApi.putLong(address + ELEMENTS_OFFSET, elements);
    }

    /**
     * @return the address to post.
     */
    public long address()
    {
        return address;
    }

    /**
     * Starts a request anew: sets number, operation and flags, and forgets elements, target and the next of the chain.
     *
     * @param id     the caller's own number.
     * @param opcode see {@link Opcode}.
     * @param flags  see {@link SendFlags}.
     * @return this.
     */
    public SendRequest begin(final long id, final int opcode, final int flags)
    {
        UnsafeApi.putLong(address + ID_OFFSET, id);
        UnsafeApi.putLong(address + NEXT_OFFSET, 0);
        UnsafeApi.putInt(address + ELEMENT_COUNT_OFFSET, 0);
        UnsafeApi.putInt(address + OPCODE_OFFSET, opcode);
        UnsafeApi.putInt(address + FLAGS_OFFSET, flags);
        return this;
    }

    /**
     * Adds a scatter/gather element.
     *
     * @param bufferAddress of the first byte.
     * @param length        in bytes, unsigned.
     * @param localKey      of the memory region; any for inline data.
     * @return this.
     */
    public SendRequest element(final long bufferAddress, final int length, final int localKey)
    {
        final int count = UnsafeApi.getInt(address + ELEMENT_COUNT_OFFSET);
        Elements.put(elements, count, maxElements, bufferAddress, length, localKey);
        UnsafeApi.putInt(address + ELEMENT_COUNT_OFFSET, count + 1);
        return this;
    }

    /**
     * Sets the target of a READ or WRITE.
     *
     * @param remoteAddress of the peer's memory.
     * @param remoteKey     of the peer's memory region.
     * @return this.
     */
    public SendRequest remote(final long remoteAddress, final int remoteKey)
    {
        UnsafeApi.putLong(address + REMOTE_ADDRESS_OFFSET, remoteAddress);
        UnsafeApi.putInt(address + REMOTE_KEY_OFFSET, remoteKey);
        return this;
    }

    /**
     * Sets target and operands of an atomic.
     *
     * @param remoteAddress of the peer's 64-bit word, aligned to 8.
     * @param remoteKey     of the peer's memory region.
     * @param compareAdd    what to compare with, or to add.
     * @param swap          what to write if equal.
     * @return this.
     */
    public SendRequest atomic(final long remoteAddress, final int remoteKey, final long compareAdd, final long swap)
    {
        UnsafeApi.putLong(address + REMOTE_ADDRESS_OFFSET, remoteAddress);
        UnsafeApi.putLong(address + COMPARE_ADD_OFFSET, compareAdd);
        UnsafeApi.putLong(address + SWAP_OFFSET, swap);
        UnsafeApi.putInt(address + ATOMIC_REMOTE_KEY_OFFSET, remoteKey);
        return this;
    }

    /**
     * @param value immediate data.
     * @return this.
     */
    public SendRequest immediate(final int value)
    {
        UnsafeApi.putInt(address + IMMEDIATE_OFFSET, networkOrder(value));
        return this;
    }

    /**
     * Adds flags to those it began with.
     *
     * @param flags see {@link SendFlags}.
     * @return this.
     */
    public SendRequest addFlags(final int flags)
    {
        UnsafeApi.putInt(address + FLAGS_OFFSET, UnsafeApi.getInt(address + FLAGS_OFFSET) | flags);
        return this;
    }

    /**
     * Chains another request behind this one.
     *
     * @param request the next, or null to end the chain here.
     * @return this.
     */
    public SendRequest next(final SendRequest request)
    {
        UnsafeApi.putLong(address + NEXT_OFFSET, request == null ? 0 : request.address);
        return this;
    }

    static int networkOrder(final int value)
    {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    }
}
