package org.onesided.protocol.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.onesided.protocol.table.LayoutDrawing.OPEN;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.CompletionDescriptor;
import org.onesided.verbs.ElementDescriptor;
import org.onesided.verbs.ReceiveRequestDescriptor;
import org.onesided.verbs.SendRequestDescriptor;

/** What the descriptors draw is what their constants say. */
class LayoutDrawingTest
{
    private static final String BOX = """
         * <pre>
         *   0         4         8
         *  +---------+---------+
         *  | one     | tw | x  |
         *  +---------+---------+
         *  | three        ... 32|
         *  +---------+---------+
         *  | four ...          |
         *  +---------+---------+
         *  | five              |
         *  +---------+---------+
         *
         *  bits:  63    60 59 58       0
         *        +--------+--+----------+
         *        | a      |b | c        |
         *        +--------+--+----------+
         * </pre>
        """;

    @Test
    void shouldReadADrawing()
    {
        final List<LayoutDrawing> drawings = LayoutDrawing.ofText(BOX);
        assertEquals(2, drawings.size());
        final Map<String, LayoutDrawing.Field> bytes = drawings.get(0).fields();
        assertEquals(new LayoutDrawing.Field(0, 4), bytes.get("one"));
        assertEquals(new LayoutDrawing.Field(4, 2), bytes.get("tw"));
        assertEquals(new LayoutDrawing.Field(6, 2), bytes.get("x"));
        assertEquals(new LayoutDrawing.Field(8, 24), bytes.get("three"));
        assertEquals(new LayoutDrawing.Field(32, OPEN), bytes.get("four"));
        assertEquals(new LayoutDrawing.Field(OPEN, 8), bytes.get("five"));
        assertEquals(OPEN, drawings.get(0).length());
        final Map<String, LayoutDrawing.Field> bits = drawings.get(1).fields();
        assertEquals(new LayoutDrawing.Field(60, 4), bits.get("a"));
        assertEquals(new LayoutDrawing.Field(59, 1), bits.get("b"));
        assertEquals(new LayoutDrawing.Field(0, 59), bits.get("c"));
        assertEquals(64, drawings.get(1).length());
    }

    @Test
    void shouldRejectABarBetweenBytes()
    {
        assertThrows(
            IllegalArgumentException.class, () -> LayoutDrawing.ofText(BOX.replace("| one     |", "| one    | ")));
    }

    @Test
    void shouldRejectACellWithoutBits()
    {
        assertThrows(IllegalArgumentException.class, () -> LayoutDrawing.ofText(BOX.replace("60 59 58", "60    58")));
    }

    @Test
    void shouldNoticeAMovedBar()
    {
        final LayoutDrawing moved = LayoutDrawing.ofText(BOX.replace("| tw | x  |", "| tw      |")).get(0);
        assertNotEquals(LayoutDrawing.ofText(BOX).get(0).fields(), moved.fields());
    }

    @Test
    void shouldDrawARecord() throws Exception
    {
        final LayoutDrawing drawing = only(RecordDescriptor.class);
        assertOffsets(drawing, RecordDescriptor.class, Map.of("value", Set.of(), "expiry", Set.of()));
        assertEquals(OPEN, drawing.length());
        assertEquals(RecordDescriptor.HEADER_LENGTH, drawing.fields().get("key").offset());
    }

    @Test
    void shouldDrawADeadRecord() throws Exception
    {
        final LayoutDrawing drawing = only(DeadRecordDescriptor.class);
        assertOffsets(drawing, DeadRecordDescriptor.class, Map.of());
        assertEquals(DeadRecordDescriptor.LENGTH, drawing.length());
        assertTrue(DeadRecordDescriptor.LENGTH <= RecordDescriptor.HEADER_LENGTH);
    }

    @Test
    void shouldDrawABucket() throws IOException
    {
        final List<LayoutDrawing> drawings = LayoutDrawing.ofSource(BucketDescriptor.class);
        assertEquals(2, drawings.size());
        final LayoutDrawing bucket = drawings.get(0);
        assertEquals(BucketDescriptor.LENGTH, bucket.length());
        assertEquals(1 + BucketDescriptor.SLOT_COUNT, bucket.fields().size());
        assertEquals(new LayoutDrawing.Field(BucketDescriptor.HEADER_OFFSET, 8), bucket.fields().get("header"));
        for (int i = 0; i < BucketDescriptor.SLOT_COUNT; i++)
        {
            assertEquals(
                new LayoutDrawing.Field(BucketDescriptor.slotOffset(i), 8), bucket.fields().get("slot " + i));
        }
        final LayoutDrawing header = drawings.get(1);
        assertEquals(4, header.fields().size());
        assertMask(header, "state", BucketDescriptor.header(3, 0, 0, -1));
        assertMask(header, "epoch", BucketDescriptor.header(0, -1, 0, -1));
        assertMask(header, "tag", BucketDescriptor.header(0, 0, -1, -1));
        assertMask(header, "overflow bucket number + 1", BucketDescriptor.header(0, 0, 0, 0xFFFF_FFFEL));
    }

    @Test
    void shouldDrawASlot() throws IOException
    {
        final LayoutDrawing drawing = only(SlotWord.class);
        assertEquals(3, drawing.fields().size());
        assertMask(drawing, "fingerprint", SlotWord.of(0xFFFF, 0, 0));
        assertMask(drawing, "length", SlotWord.of(0, Long.MAX_VALUE / 2, 0));
        assertMask(drawing, "heap offset in granules", SlotWord.of(0, 0, ((1L << 36) - 1) * SlotWord.GRANULE));
    }

    @Test
    void shouldDrawAVersion() throws IOException
    {
        final LayoutDrawing drawing = only(VersionWord.class);
        assertEquals(Set.of("server term", "counter"), drawing.fields().keySet());
        assertMask(drawing, "server term", VersionWord.startOf(0xFFFF));
        assertMask(drawing, "counter", VersionWord.startOf(1) - 1);
    }

    @Test
    void shouldDrawAKeysHash() throws IOException
    {
        final LayoutDrawing drawing = only(KeyHash.class);
        assertEquals(2, drawing.fields().size());
        assertMask(drawing, "fingerprint", bits(hash -> KeyHash.fingerprint(hash) != 0));
        assertMask(drawing, "bucket", bits(hash -> KeyHash.bucket(hash, 1L << 48) != 0));
    }

    @Test
    void shouldDrawASplitPoint() throws IOException
    {
        final LayoutDrawing drawing = only(SplitPoint.class);
        assertEquals(2, drawing.fields().size());
        assertMask(drawing, "level", SplitPoint.of(63, 0));
        assertMask(drawing, "split", SplitPoint.of(0, -1));
    }

    @Test
    void shouldDrawASuperblock() throws Exception
    {
        final List<LayoutDrawing> drawings = LayoutDrawing.ofSource(SuperblockDescriptor.class);
        assertEquals(2, drawings.size());
        final LayoutDrawing whole = drawings.get(0);
        final LayoutDrawing shard = drawings.get(1);
        final Set<String> drawn = offsets(whole, SuperblockDescriptor.class, Map.of(
            "reserved", Set.of(), "shards: shard 0", Set.of("SHARDS"), "shard 1, and so on", Set.of(),
            "unused", Set.of(), "split points, one for each shard", Set.of("SPLIT_POINTS")));
        drawn.addAll(offsets(shard, SuperblockDescriptor.class, Map.of()));
        assertEquals(constants(SuperblockDescriptor.class), drawn);
        assertEquals(SuperblockDescriptor.LENGTH, whole.length());
        assertEquals(SuperblockDescriptor.SHARD_LENGTH, whole.fields().get("shards: shard 0").length());
        assertEquals(SuperblockDescriptor.SHARD_LENGTH, shard.length());
        assertTrue(SuperblockDescriptor.SHARDS_OFFSET +
            SuperblockDescriptor.MAX_SHARDS * SuperblockDescriptor.SHARD_LENGTH <=
            SuperblockDescriptor.CONSTANT_LENGTH);
        assertEquals(SuperblockDescriptor.LENGTH,
            SuperblockDescriptor.SPLIT_POINTS_OFFSET + SuperblockDescriptor.MAX_SHARDS * Long.BYTES);
    }

    @Test
    void shouldDrawTheVerbsStructures() throws Exception
    {
        final LayoutDrawing send = only(SendRequestDescriptor.class);
        assertOffsets(send, SendRequestDescriptor.class, Map.of(
            "wr_id", Set.of("ID"), "sg_list", Set.of("ELEMENTS"), "num_sge", Set.of("ELEMENT_COUNT"),
            "imm_data", Set.of("IMMEDIATE"), "remote_addr", Set.of("REMOTE_ADDRESS"),
            "rkey / compare_add", Set.of("REMOTE_KEY", "COMPARE_ADD"),
            "rkey (of atomics)", Set.of("ATOMIC_REMOTE_KEY"), "not used here", Set.of()));
        assertEquals(SendRequestDescriptor.LENGTH, send.length());
        final LayoutDrawing receive = only(ReceiveRequestDescriptor.class);
        assertOffsets(receive, ReceiveRequestDescriptor.class, Map.of(
            "wr_id", Set.of("ID"), "sg_list", Set.of("ELEMENTS"), "num_sge", Set.of("ELEMENT_COUNT"),
            "padding", Set.of()));
        assertEquals(ReceiveRequestDescriptor.LENGTH, receive.length());
        final LayoutDrawing completion = only(CompletionDescriptor.class);
        assertOffsets(completion, CompletionDescriptor.class, Map.of(
            "wr_id", Set.of("ID"), "vendor", Set.of("VENDOR_ERROR"), "byte_len", Set.of("BYTE_LENGTH"),
            "imm_data", Set.of("IMMEDIATE"), "qp_num", Set.of("QUEUE_PAIR"), "src_qp", Set.of("SOURCE_QUEUE_PAIR"),
            "not used here", Set.of()));
        assertEquals(CompletionDescriptor.LENGTH, completion.length());
        final LayoutDrawing element = only(ElementDescriptor.class);
        assertOffsets(element, ElementDescriptor.class, Map.of("addr", Set.of("ADDRESS"), "lkey", Set.of("LOCAL_KEY")));
        assertEquals(ElementDescriptor.LENGTH, element.length());
    }

    private static LayoutDrawing only(final Class<?> type) throws IOException
    {
        final List<LayoutDrawing> drawings = LayoutDrawing.ofSource(type);
        assertEquals(1, drawings.size(), type.getName());
        return drawings.get(0);
    }

    /** Each name drawn is a constant with the drawn offset, and no offset is left undrawn. */
    private static void assertOffsets(
        final LayoutDrawing drawing, final Class<?> type, final Map<String, Set<String>> otherNames) throws Exception
    {
        assertEquals(constants(type), offsets(drawing, type, otherNames));
    }

    private static Set<String> offsets(
        final LayoutDrawing drawing, final Class<?> type, final Map<String, Set<String>> otherNames) throws Exception
    {
        assertTrue(drawing.fields().keySet().containsAll(otherNames.keySet()), drawing.fields()::toString);
        final Set<String> drawn = new HashSet<>();
        for (final Map.Entry<String, LayoutDrawing.Field> field : drawing.fields().entrySet())
        {
            final String usual = field.getKey().toUpperCase(Locale.ROOT).replace(' ', '_');
            for (final String name : otherNames.getOrDefault(field.getKey(), Set.of(usual)))
            {
                final int offset = (Integer)type.getField(name + "_OFFSET").get(null);
                assertEquals(offset, field.getValue().offset(), type.getSimpleName() + ": " + field.getKey());
                drawn.add(name + "_OFFSET");
            }
        }
        return drawn;
    }

    private static Set<String> constants(final Class<?> type)
    {
        final Set<String> names = new HashSet<>();
        for (final Field field : type.getFields())
        {
            if (field.getName().endsWith("_OFFSET"))
            {
                names.add(field.getName());
            }
        }
        return names;
    }

    private static void assertMask(final LayoutDrawing drawing, final String name, final long mask)
    {
        assertEquals(Long.SIZE, drawing.length());
        final LayoutDrawing.Field field = drawing.fields().get(name);
        final long drawn = (-1L >>> Long.SIZE - field.length()) << field.offset();
        assertEquals(Long.toHexString(mask), Long.toHexString(drawn), name);
    }

    /** The bits that, alone, make a difference. */
    private static long bits(final LongPredicate matters)
    {
        long mask = 0;
        for (int i = 0; i < Long.SIZE; i++)
        {
            mask |= matters.test(1L << i) ? 1L << i : 0;
        }
        return mask;
    }
}
