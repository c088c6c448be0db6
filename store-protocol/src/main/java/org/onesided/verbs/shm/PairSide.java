package org.onesided.verbs.shm;

import static org.onesided.verbs.shm.PairSideDescriptor.*;

import org.agrona.UnsafeApi;

/**
 * Flyweight over the state that one of two connected queue pairs shares with the other.
 */
final class PairSide
{
    private final long address;

    PairSide(final long address)
    {
        this.address = address;
    }

    int state()
    {
        return UnsafeApi.getIntVolatile(null, address + STATE_OFFSET);
    }

    void state(final int value)
    {
        UnsafeApi.putIntVolatile(null, address + STATE_OFFSET, value);
    }

    int access()
    {
        return UnsafeApi.getInt(address + ACCESS_OFFSET);
    }

    int domain()
    {
        return UnsafeApi.getInt(address + DOMAIN_OFFSET);
    }

    int rnrTimer()
    {
        return UnsafeApi.getInt(address + RNR_TIMER_OFFSET);
    }

    int sendChannel()
    {
        return UnsafeApi.getInt(address + SEND_CHANNEL_OFFSET);
    }

    int receiveChannel()
    {
        return UnsafeApi.getInt(address + RECEIVE_CHANNEL_OFFSET);
    }

    int sharedQueue()
    {
        return UnsafeApi.getInt(address + SHARED_QUEUE_OFFSET);
    }

    int sharedCapacity()
    {
        return UnsafeApi.getInt(address + SHARED_CAPACITY_OFFSET);
    }

    int readDepth()
    {
        return UnsafeApi.getInt(address + READ_DEPTH_OFFSET);
    }

    void attributes(final int access, final int domain, final int rnrTimer, final int readDepth)
    {
        UnsafeApi.putInt(address + ACCESS_OFFSET, access);
        UnsafeApi.putInt(address + DOMAIN_OFFSET, domain);
        UnsafeApi.putInt(address + RNR_TIMER_OFFSET, rnrTimer);
        UnsafeApi.putInt(address + READ_DEPTH_OFFSET, readDepth);
    }

    void queues(final int sendChannel, final int receiveChannel, final int sharedQueue, final int sharedCapacity)
    {
        UnsafeApi.putInt(address + SEND_CHANNEL_OFFSET, sendChannel);
        UnsafeApi.putInt(address + RECEIVE_CHANNEL_OFFSET, receiveChannel);
        UnsafeApi.putInt(address + SHARED_QUEUE_OFFSET, sharedQueue);
        UnsafeApi.putInt(address + SHARED_CAPACITY_OFFSET, sharedCapacity);
    }

    int wakeUps()
    {
        return UnsafeApi.getIntVolatile(null, address + WAKE_UPS_OFFSET);
    }

    void wakeUps(final int value)
    {
        UnsafeApi.putIntVolatile(null, address + WAKE_UPS_OFFSET, value);
    }

    /**
     * What it wants to be woken for, asked by the other side when that has done something. Before this side sleeps it
     * says what it wants, and then looks whether anything was done; so at least one of the two sees the other, as
     * each puts a full fence between its store and its load.
     */
    int wantedNow()
    {
        UnsafeApi.fullFence();
        return wakeUps();
    }

    /**
     * Clears bits that the other side set; it may set more at the same time, which then are kept.
     */
    void clearWakeUps(final int bits)
    {
        UnsafeApi.getAndBitwiseAndInt(null, address + WAKE_UPS_OFFSET, ~bits);
    }

    void addWakeUps(final int bits)
    {
        UnsafeApi.getAndBitwiseOrInt(null, address + WAKE_UPS_OFFSET, bits);
    }

    int fault()
    {
        return UnsafeApi.getIntVolatile(null, address + FAULT_OFFSET);
    }

    void fault(final int value)
    {
        UnsafeApi.putIntVolatile(null, address + FAULT_OFFSET, value);
    }

    long posted()
    {
        return UnsafeApi.getLongVolatile(null, address + POSTED_OFFSET);
    }

    void posted(final long value)
    {
        UnsafeApi.putLongRelease(null, address + POSTED_OFFSET, value);
    }

    long producedAddress()
    {
        return address + PRODUCED_OFFSET;
    }

    long consumedAddress()
    {
        return address + CONSUMED_OFFSET;
    }
}
