package org.onesided.verbs.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onesided.verbs.MemoryRange;

class CommittedPagesTest
{
    private final CommittedPages pages = new CommittedPages();
    private final List<MemoryRange> dropped = new ArrayList<>();

    private boolean drop(final MemoryRange range)
    {
        return dropped.add(range);
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
    void shouldCountWhatCannotBeGivenBack()
    {
        pages.commit(0, 300, 100, 10_000, (range) -> {});
        pages.release(0, 300, 100, (range) -> false);
        assertEquals(300, pages.bytes());
        pages.release(250, 20, 100, this::drop);
        assertEquals(List.of(), dropped);
    }
}
