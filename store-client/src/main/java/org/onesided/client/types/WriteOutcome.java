package org.onesided.client.types;

import org.jspecify.annotations.Nullable;

/**
 * What became of a write under a condition.
 *
 * @param applied whether the condition held and the write took effect; if not, nothing changed.
 * @param version of the key at that moment: after a put that was applied, that of its value; if the condition did not
 *                hold, that of the value which stayed; null if the key was absent then, as after a delete that was
 *                applied, or a put whose time was over by the server's clock.
 */
public record WriteOutcome(boolean applied, @Nullable Version version)
{
}
