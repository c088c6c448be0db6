package org.onesided.tools.kvctl.rdma.talk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onesided.verbs.Endpoint;
import org.onesided.verbs.Gid;

class ShellRecordTest
{
    private static final byte[] DEVICE_BYTES = {1, 2, 3};
    private static final ShellRecord RECORD = new ShellRecord(
        new Endpoint(0xABCDEF, 0xFFFE, new Gid(5, 6), 0x123456, 4096, 128, 16, DEVICE_BYTES), -4096, 1 << 20, -7);

    @Test
    void shouldReadWhatItWrites()
    {
        final byte[] bytes = RECORD.encode();
        final ShellRecord read = ShellRecord.decode(bytes, DEVICE_BYTES);

        assertEquals(ShellRecord.LENGTH, bytes.length);
        assertNotNull(read);
        assertEquals(RECORD.toString(), read.toString());
        assertEquals(4096, read.endpoint().mtu());
        assertEquals(128, read.endpoint().readDepth());
        assertEquals(16, read.endpoint().initiatorDepth());
        assertArrayEquals(DEVICE_BYTES, read.endpoint().deviceBytes());
    }

    @Test
    void shouldTakeZerosForNoGid()
    {
        final byte[] bytes = RECORD.encode();
        ByteBuffer.wrap(bytes).putLong(ShellRecord.LENGTH - 16, 0).putLong(ShellRecord.LENGTH - 8, 0);

        assertNull(ShellRecord.decode(bytes, DEVICE_BYTES).endpoint().gid());
    }

    @Test
    void shouldKnowAnotherProgramAtOnce()
    {
        final byte[] bytes = RECORD.encode();
        assertTrue(ShellRecord.isMarked(bytes));
        bytes[7]++;

        assertFalse(ShellRecord.isMarked(bytes));
        assertNull(ShellRecord.decode(bytes, DEVICE_BYTES));
        assertFalse(ShellRecord.isMarked(new byte[ShellRecord.LENGTH - 1]));
    }

    @ParameterizedTest
    @CsvSource({"16, 0", "16, -1", "24, 0", "24, 0x1000000", "28, -1", "28, 0x1000000", "32, 255", "32, 768"})
    void shouldRefuseWhatNoQueuePairHas(final int offset, final String value)
    {
        final byte[] bytes = RECORD.encode();
        ByteBuffer.wrap(bytes).putInt(offset, Integer.decode(value));

        assertNull(ShellRecord.decode(bytes, DEVICE_BYTES));
    }
}
