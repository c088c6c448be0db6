package org.onesided.verbs.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.Errno;
import org.onesided.verbs.MemoryRange;
import org.onesided.verbs.VerbsException;

class CommittedPagesTest
{
    private final CommittedPages pages = new CommittedPages();
    private final List<MemoryRange> dropped = new ArrayList<>();

    private int drop(final MemoryRange range)
    {
        dropped.add(range);
        return 0;
    }

    @Test
    void shouldGiveWholePagesOfAPieceBack()
    {
        pages.commit(0, 1_000, 100, 10_000, (range) -> {});
        pages.release(150, 200, 100, this::drop);
        assertEquals(List.of(new MemoryRange(200, 100)), dropped);
        assertEquals(900, pages.bytes());

        final List<MemoryRange> made = new ArrayList<>();
        pages.commit(0, 1_000, 100, 10_000, made::add);
        assertEquals(List.of(new MemoryRange(200, 100)), made);
        assertEquals(1_000, pages.bytes());
    }

    @Test
    void shouldGiveBackWhatThereIsOfAPiece()
    {
        pages.commit(0, 300, 100, 10_000, (range) -> {});
        pages.commit(500, 200, 100, 10_000, (range) -> {});
        pages.commit(900, 300, 100, 10_000, (range) -> {});
        pages.release(100, 900, 100, this::drop);
        assertEquals(
            List.of(new MemoryRange(900, 100), new MemoryRange(500, 200), new MemoryRange(100, 200)), dropped);
        assertEquals(300, pages.bytes());
        pages.release(100, 900, 100, this::drop);
        assertEquals(3, dropped.size());
    }

    @Test
    void shouldCountWhatTheSystemKeepsAndGiveBackTheRest()
    {
        pages.commit(0, 300, 100, 10_000, (range) -> {});
        pages.commit(500, 200, 100, 10_000, (range) -> {});
        final VerbsException refused = assertThrows(VerbsException.class, () ->
            pages.release(100, 900, 100, (range) -> range.address() == 500 ? -Errno.ENOMEM : drop(range)));
        assertEquals(Errno.ENOMEM, refused.errno());
        assertEquals(List.of(new MemoryRange(100, 200)), dropped);
        assertEquals(300, pages.bytes());
        assertEquals(200, pages.kept());
        pages.release(250, 20, 100, this::drop);
        assertEquals(1, dropped.size());

        // They count as others do once they are used again, also in part.
        pages.commit(550, 10, 100, 10_000, (range) -> fail("it exists: range=" + range));
        assertEquals(300, pages.bytes());
        assertEquals(100, pages.kept());
        // What touches them is tried with them again.
        pages.release(300, 500, 100, this::drop);
        assertEquals(new MemoryRange(500, 200), dropped.get(1));
        assertEquals(100, pages.bytes());
        assertEquals(0, pages.kept());
    }

    @Test
    void shouldNotCountTwiceWhatTheSystemKeepsAgain()
    {
        pages.commit(0, 300, 100, 10_000, (range) -> {});
        for (int i = 0; i < 2; i++)
        {
            assertThrows(VerbsException.class, () -> pages.release(0, 200, 100, (range) -> -Errno.EINVAL));
            assertThrows(VerbsException.class, () -> pages.release(100, 200, 100, (range) -> -Errno.EINVAL));
        }
        assertEquals(300, pages.kept());
        // A piece that cannot be made leaves them as they are.
        assertThrows(IllegalStateException.class, () -> pages.commit(200, 300, 100, 10_000, (range) ->
        {
            throw new IllegalStateException("of the test");
        }));
        assertEquals(300, pages.kept());
        assertEquals(300, pages.bytes());
    }
}
