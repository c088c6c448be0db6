package org.onesided.chaos;

import org.agrona.UnsafeApi;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.NativeArray;
import org.onesided.verbs.QueuePair;
import org.onesided.verbs.ReceiveRequestDescriptor;

/**
 * A receive that its poster believes posted.
 *
 * @param id          of the receive.
 * @param elements    bytes of its {@code ibv_sge} array.
 * @param notBeforeNs when it is posted.
 */
record HeldReceive(long id, byte[] elements, long notBeforeNs)
{
    /**
     * @param request     address of an {@code ibv_recv_wr} that was found valid.
     * @param notBeforeNs when it is to be posted.
     * @return a copy.
     */
    static HeldReceive of(final long request, final long notBeforeNs)
    {
        final int count = UnsafeApi.getInt(request + ReceiveRequestDescriptor.ELEMENT_COUNT_OFFSET);
        final byte[] elements = new byte[count * ElementDescriptor.LENGTH];
        final long source = UnsafeApi.getLong(request + ReceiveRequestDescriptor.ELEMENTS_OFFSET);
        for (int i = 0; i < elements.length; i++)
        {
            elements[i] = UnsafeApi.getByte(source + i);
        }
        return new HeldReceive(UnsafeApi.getLong(request + ReceiveRequestDescriptor.ID_OFFSET), elements, notBeforeNs);
    }

    int post(final QueuePair queuePair)
    {
        try (NativeArray memory =
            new NativeArray(ReceiveRequestDescriptor.LENGTH + elements.length + Long.BYTES))
        {
            final long request = memory.range().address();
            final long copy = request + ReceiveRequestDescriptor.LENGTH;
            for (int i = 0; i < elements.length; i++)
            {
                UnsafeApi.putByte(copy + i, elements[i]);
            }
            UnsafeApi.putLong(request + ReceiveRequestDescriptor.ID_OFFSET, id);
            UnsafeApi.putLong(request + ReceiveRequestDescriptor.ELEMENTS_OFFSET, copy);
            UnsafeApi.putInt(
                request + ReceiveRequestDescriptor.ELEMENT_COUNT_OFFSET, elements.length / ElementDescriptor.LENGTH);
            return queuePair.postReceive(request, copy + elements.length);
        }
    }
}
