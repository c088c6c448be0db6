package org.onesided.server;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.onesided.protocol.table.RecordCheck;
import org.onesided.protocol.table.RecordDescriptor;
import org.onesided.protocol.table.ShardLayout;
import org.onesided.protocol.table.SlotWord;

/** Records as a client READs them. */
final class TestRecord
{
    /** READs bytes of the table. */
    interface Reader
    {
        byte[] read(long tableOffset, int length);
    }

    private TestRecord()
    {
    }

    /** The value in the record of a slot; null if that is not live, or another key's. */
    static byte[] value(
        final long slot, final String key, final ShardLayout layout, final long checkSeed, final Reader reader)
    {
        final long offset = layout.recordOffset(slot);
        int length = SlotWord.length(slot);
        if (SlotWord.isLong(slot))
        {
            final UnsafeBuffer head = new UnsafeBuffer(reader.read(offset, RecordDescriptor.HEADER_LENGTH));
            length = (int)RecordDescriptor.length(
                head.getShort(RecordDescriptor.KEY_LENGTH_OFFSET), head.getInt(RecordDescriptor.VALUE_LENGTH_OFFSET),
                head.getShort(RecordDescriptor.FLAGS_OFFSET));
        }
        final byte[] bytes = reader.read(offset, length);
        final ByteBuffer copy = BufferUtil.allocateDirectAligned(length, Long.BYTES).put(0, bytes);
        final long address = BufferUtil.address(copy);
        final UnsafeBuffer record = new UnsafeBuffer(copy);
        final int keyLength = record.getShort(RecordDescriptor.KEY_LENGTH_OFFSET);
        final int valueLength = record.getInt(RecordDescriptor.VALUE_LENGTH_OFFSET);
        final long code = new RecordCheck(checkSeed)
            .code(address, RecordDescriptor.length(
                keyLength, valueLength, record.getShort(RecordDescriptor.FLAGS_OFFSET)), offset);
        if (code != UnsafeApi.getLong(address) ||
            !record.getStringWithoutLengthUtf8(RecordDescriptor.KEY_OFFSET, keyLength).equals(key))
        {
            return null;
        }
        final int start = RecordDescriptor.KEY_OFFSET + keyLength;
        return Arrays.copyOfRange(bytes, start, start + valueLength);
    }
}
