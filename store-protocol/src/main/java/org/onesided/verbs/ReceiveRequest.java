package org.onesided.verbs;

import static org.onesided.verbs.ReceiveRequestDescriptor.*;

import org.agrona.UnsafeApi;

/**
 * Flyweight over one {@code ibv_recv_wr} and its scatter/gather elements. Made by {@link ReceiveRequests}; the
 * fields may be changed again once the request was posted. Not thread-safe.
 */
public final class ReceiveRequest
{
    private final long address;
    private final long elements;
    private final int maxElements;

    ReceiveRequest(final long address, final long elements, final int maxElements)
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
     * Starts a request anew: sets its number, and forgets elements and the next of the chain.
     *
     * @param id the caller's own number.
     * @return this.
     */
    public ReceiveRequest begin(final long id)
    {
        UnsafeApi.putLong(address + ID_OFFSET, id);
        UnsafeApi.putLong(address + NEXT_OFFSET, 0);
        UnsafeApi.putInt(address + ELEMENT_COUNT_OFFSET, 0);
        return this;
    }

    /**
     * Adds a scatter/gather element.
     *
     * @param bufferAddress of the first byte.
     * @param length        in bytes, unsigned.
     * @param localKey      of a memory region with {@link Access#LOCAL_WRITE}.
     * @return this.
     */
    public ReceiveRequest element(final long bufferAddress, final int length, final int localKey)
    {
        final int count = UnsafeApi.getInt(address + ELEMENT_COUNT_OFFSET);
        Elements.put(elements, count, maxElements, bufferAddress, length, localKey);
        UnsafeApi.putInt(address + ELEMENT_COUNT_OFFSET, count + 1);
        return this;
    }

    /**
     * Chains another request behind this one.
     *
     * @param request the next, or null to end the chain here.
     * @return this.
     */
    public ReceiveRequest next(final ReceiveRequest request)
    {
        UnsafeApi.putLong(address + NEXT_OFFSET, request == null ? 0 : request.address);
        return this;
    }
}
