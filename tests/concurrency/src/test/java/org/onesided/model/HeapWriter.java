package org.onesided.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The one writer of records: puts, in place and elsewhere, deletes, moves, and the segment of the last place, which
 * goes while nothing is in it and comes again. The stores of an operation are done in their order, as
 * {@code RecordMemory}, {@code ShardTable} and {@code Relocation} do them.
 */
final class HeapWriter
{
    private static final int NOTHING = -1;
    private static final int MAX_VERSIONS = 8;

    /** What operations there are. */
    private enum Kind
    {
        INSERT, PUT_IN_PLACE, PUT_ELSEWHERE, MOVE, DELETE
    }

    /**
     * One store.
     *
     * @param effect the sought key's version from then on, or {@link #NOTHING}.
     */
    private record Store(int at, int value, int effect)
    {
    }

    private final HeapFlaw flaw;
    private final int lastVersion;
    private final boolean isTwinChanging;
    private final Map<Integer, List<Store>> operations = new HashMap<>();

    /**
     * @param flaw           of the writer or the reader; null for none.
     * @param lastVersion    that a put may give.
     * @param isTwinChanging whether the other key is put and deleted, too; else it only moves.
     */
    HeapWriter(final HeapFlaw flaw, final int lastVersion, final boolean isTwinChanging)
    {
        this.flaw = flaw;
        this.lastVersion = lastVersion;
        this.isTwinChanging = isTwinChanging;
    }

    /** Tells all states that the writer's next step can lead to. */
    void step(final HeapWorld world, final Consumer<HeapWorld> next)
    {
        if (world.operation() != 0)
        {
            next.accept(stored(world, world.operation(), world.step()));
            return;
        }
        for (int key = 1; key <= Heap.KEYS; key++)
        {
            final int slot = slotOf(world, key);
            if (slot == NOTHING)
            {
                insert(world, key, next);
            }
            else
            {
                change(world, key, slot, next);
            }
        }
        if (world.isGone())
        {
            comeAgain(world, next);
        }
        else if (!isUsed(world, Heap.LAST) && !HeapReader.isReading(world, Heap.LAST))
        {
            final HeapWorld gone = world.copy();
            gone.isGone(true);
            next.accept(gone);
        }
    }

    private static int slotOf(final HeapWorld world, final int key)
    {
        for (int i = 0; i < Heap.SLOTS; i++)
        {
            final int place = world.word(Heap.slot(i));
            if (place != Heap.NONE && world.word(Heap.key(place)) == key)
            {
                return i;
            }
        }
        return NOTHING;
    }

    private static boolean isUsed(final HeapWorld world, final int place)
    {
        return world.word(Heap.slot(0)) == place || world.word(Heap.slot(1)) == place;
    }

    private static boolean isFree(final HeapWorld world, final int place)
    {
        return !isUsed(world, place) && !(place == Heap.LAST && world.isGone());
    }

    private void insert(final HeapWorld world, final int key, final Consumer<HeapWorld> next)
    {
        for (int slot = 0; slot < Heap.SLOTS; slot++)
        {
            for (int to = 1; to <= Heap.PLACES; to++)
            {
                if (world.word(Heap.slot(slot)) == Heap.NONE && isFree(world, to))
                {
                    begin(world, Kind.INSERT, key, slot, to, next);
                }
            }
        }
    }

    private void change(final HeapWorld world, final int key, final int slot, final Consumer<HeapWorld> next)
    {
        final int from = world.word(Heap.slot(slot));
        begin(world, Kind.PUT_IN_PLACE, key, slot, from, next);
        begin(world, Kind.DELETE, key, slot, from, next);
        for (int to = 1; to <= Heap.PLACES; to++)
        {
            if (isFree(world, to))
            {
                begin(world, Kind.PUT_ELSEWHERE, key, slot, to, next);
                begin(world, Kind.MOVE, key, slot, to, next);
            }
        }
    }

    /** The memory is as it was, or it is zero. */
    private static void comeAgain(final HeapWorld world, final Consumer<HeapWorld> next)
    {
        final HeapWorld back = world.copy();
        back.isGone(false);
        next.accept(back.copy());
        for (int i = 0; i < Heap.RECORD_WORDS; i++)
        {
            back.word(Heap.check(Heap.LAST) + i, 0);
        }
        next.accept(back);
    }

    private void begin(
        final HeapWorld world,
        final Kind kind,
        final int key,
        final int slot,
        final int to,
        final Consumer<HeapWorld> next)
    {
        final int from = world.word(Heap.slot(slot));
        final boolean isPut = kind != Kind.MOVE && kind != Kind.DELETE;
        if (isPut && world.nextVersion() > lastVersion ||
            kind != Kind.MOVE && key == Heap.TWIN && !isTwinChanging)
        {
            return;
        }
        final HeapWorld begun = world.copy();
        final int version = isPut ? world.nextVersion() : world.word(Heap.version(from));
        if (isPut)
        {
            begun.takeVersion();
        }
        final int number = number(kind, key, slot, from, to, version);
        operations.computeIfAbsent(number, n -> stores(kind, key, slot, from, to, version));
        next.accept(stored(begun, number, 0));
    }

    /** A number for an operation; never 0. */
    private static int number(
        final Kind kind, final int key, final int slot, final int from, final int to, final int version)
    {
        final int change = ((kind.ordinal() + 1) * Heap.SLOTS + slot) * (Heap.KEYS + 1) + key;
        return ((change * (Heap.PLACES + 1) + from) * (Heap.PLACES + 1) + to) * MAX_VERSIONS + version;
    }

    private HeapWorld stored(final HeapWorld world, final int number, final int step)
    {
        final List<Store> stores = operations.get(number);
        final Store store = stores.get(step);
        final HeapWorld next = world.copy();
        next.word(store.at, store.value);
        final boolean isLast = step + 1 == stores.size();
        next.operation(isLast ? 0 : number, isLast ? 0 : step + 1);
        if (store.effect != NOTHING)
        {
            next.current(store.effect);
        }
        return next;
    }

    private List<Store> stores(
        final Kind kind, final int key, final int slot, final int from, final int to, final int version)
    {
        final List<Store> stores = new ArrayList<>();
        if (kind != Kind.DELETE)
        {
            stores.add(new Store(Heap.check(to), Heap.BEING_WRITTEN, NOTHING));
            stores.add(new Store(Heap.version(to), version, NOTHING));
            stores.add(new Store(Heap.key(to), key, NOTHING));
        }
        final boolean isSought = key == Heap.SOUGHT;
        final Store publish = new Store(
            Heap.check(to), code(version, key, to), isSought && kind != Kind.MOVE ? version : NOTHING);
        final Store point = new Store(Heap.slot(slot), to, NOTHING);
        switch (kind)
        {
            case INSERT -> add(stores, flaw == HeapFlaw.LIVE_BEFORE_SLOT, point, publish);
            case PUT_IN_PLACE -> stores.add(publish);
            case PUT_ELSEWHERE -> replace(stores, from, to, point, publish);
            case MOVE ->
            {
                if (flaw == HeapFlaw.MOVED_NOT_KILLED || flaw == HeapFlaw.CLEARED_NOT_KILLED && from == Heap.LAST)
                {
                    stores.addAll(List.of(point, publish));
                }
                else
                {
                    replace(stores, from, to, point, publish);
                }
            }
            default ->
            {
                final Store kill = new Store(Heap.check(from), Heap.DEAD, isSought ? Heap.NONE : NOTHING);
                add(stores, flaw == HeapFlaw.SLOT_BEFORE_DEAD, kill, new Store(Heap.slot(slot), Heap.NONE, NOTHING));
                leave(stores, from, Heap.NONE);
            }
        }
        return stores;
    }

    private int code(final int version, final int key, final int place)
    {
        return Heap.code(flaw == HeapFlaw.CODE_WITHOUT_VERSION ? 0 : version, key, place);
    }

    private void replace(
        final List<Store> stores, final int from, final int to, final Store point, final Store publish)
    {
        final Store kill = new Store(Heap.check(from), Heap.DEAD, NOTHING);
        if (flaw == HeapFlaw.LIVE_BEFORE_DEAD)
        {
            stores.addAll(List.of(point, publish, kill));
        }
        else
        {
            add(stores, flaw == HeapFlaw.SLOT_BEFORE_DEAD, kill, point);
            stores.add(publish);
        }
        leave(stores, from, to);
    }

    /** The dead record tells where the new one is, and what else is left of it is zeroed. */
    private static void leave(final List<Store> stores, final int from, final int forward)
    {
        stores.add(new Store(Heap.version(from), forward, NOTHING));
        stores.add(new Store(Heap.key(from), 0, NOTHING));
    }

    private static void add(final List<Store> stores, final boolean isSwapped, final Store first, final Store second)
    {
        stores.add(isSwapped ? second : first);
        stores.add(isSwapped ? first : second);
    }
}
