package org.onesided.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Visits all states that a model can come to, each of them once.
 *
 * @param <W> a state of the model.
 */
final class Exploration<W>
{
    /** What can happen in a model. */
    interface Model<W>
    {
        /** All of a state. */
        byte[] bytes(W world);

        /** Tells all states that the next step can lead to. */
        void step(W world, Consumer<W> next);

        /** Whether a lookup told what was not so. */
        boolean isWrong(W world);

        /** Whether a lookup is over, so that nothing that comes after concerns it. */
        boolean isOver(W world);
    }

    /** A state, and how many steps led to it. */
    private record Step<W>(W world, int depth)
    {
    }

    private final Model<W> model;
    private final States states = new States();
    private final Deque<Step<W>> stack = new ArrayDeque<>();
    private final List<W> path = new ArrayList<>();

    Exploration(final Model<W> model)
    {
        this.model = model;
    }

    /** Number of states that were visited; not those in which a lookup is over, and right. */
    int states()
    {
        return states.size();
    }

    /** The steps from a state to a wrong one, each on a line; null if none leads there. */
    String violation(final W start)
    {
        stack.clear();
        stack.push(new Step<>(start, 0));
        while (!stack.isEmpty())
        {
            final Step<W> step = stack.pop();
            final W world = step.world();
            path.subList(step.depth(), path.size()).clear();
            path.add(world);
            if (model.isWrong(world))
            {
                return text();
            }
            model.step(world, next -> push(next, step.depth() + 1));
        }
        return null;
    }

    private void push(final W world, final int depth)
    {
        if ((!model.isOver(world) || model.isWrong(world)) && states.add(model.bytes(world)))
        {
            stack.push(new Step<>(world, depth));
        }
    }

    private String text()
    {
        final StringBuilder text = new StringBuilder();
        path.forEach(world -> text.append(world).append('\n'));
        return text.toString();
    }
}
