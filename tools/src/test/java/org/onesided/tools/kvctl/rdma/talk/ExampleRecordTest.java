package org.onesided.tools.kvctl.rdma.talk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onesided.verbs.Gid;

class ExampleRecordTest
{
    private static final byte[] BYTES = HexFormat.of().parseHex(
        "00007f0123456789" + "89abcdef" + "00000102" + "fffe" + "00000000000000000000ffff0a090001");

    private static final ExampleRecord RECORD =
        new ExampleRecord(0x7F01_2345_6789L, 0x89AB_CDEF, 0x102, 0xFFFE, new Gid(0, 0xFFFF_0A09_0001L));

    @Test
    void shouldBePackedAndInNetworkByteOrder()
    {
        assertEquals(34, ExampleRecord.LENGTH);
        assertEquals(18, ExampleRecord.LENGTH_WITHOUT_GID);
        assertArrayEquals(BYTES, RECORD.encode());
        assertEquals(RECORD, ExampleRecord.decode(BYTES));
    }

    @Test
    void shouldTakeZerosForNoGid()
    {
        final ExampleRecord record = new ExampleRecord(1, 2, 3, 4, null);

        assertEquals(record, ExampleRecord.decode(record.encode()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000", "01000000", "ffffffff", "48545450"})
    void shouldNotTakeBytesWithAnImpossibleQueuePairForARecord(final String queuePairNumber)
    {
        final byte[] bytes = BYTES.clone();
        System.arraycopy(HexFormat.of().parseHex(queuePairNumber), 0, bytes, 12, 4);

        assertNull(ExampleRecord.decode(bytes));
    }
}
