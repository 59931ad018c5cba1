# SPDX-License-Identifier: MIT
"""What the runtime puts in the way of the C library's functions, and so what a program, or a library that has the runtime in it, exports besides its own."""

# The list of HACKING.md ("What a program can see of us"), in which each of these names stands.
WRAPPED = set("malloc calloc free realloc reallocarray memalign aligned_alloc posix_memalign valloc pvalloc mmap mmap64 mremap munmap execl execle execlp execv execve execvp execvpe fexecve "
              "_exit _Exit prctl syscall sigaltstack "
              "read write pread pread64 pwrite pwrite64 readv writev preadv preadv64 pwritev pwritev64 preadv2 preadv64v2 pwritev2 pwritev64v2 __read_chk "
              "__pread_chk __pread64_chk sendfile sendfile64 copy_file_range splice open open64 openat openat64 __open_2 __open64_2 __openat_2 __openat64_2 creat creat64 close closefrom close_range dup2 dup3 lseek lseek64 fsync fdatasync sync_file_range "
              "fread fread_unlocked __fread_chk fwrite fwrite_unlocked fgets fgets_unlocked __fgets_chk getdelim getline __getdelim fputs "
              "fputs_unlocked puts fgetc getchar __uflow fputc putchar __overflow fgetc_unlocked getchar_unlocked fputc_unlocked putchar_unlocked "
              "getc putc getc_unlocked putc_unlocked vfprintf vprintf fprintf printf __isoc99_vfscanf __isoc99_vscanf __isoc99_fscanf "
              "__isoc99_scanf fflush fopen64 fopen fclose fseeko64 fseeko fseek rewind __vfprintf_chk __vprintf_chk __fprintf_chk __printf_chk "
              "send sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg __recv_chk __recvfrom_chk connect accept accept4 getsockopt socket socketpair "
              "nanosleep clock_nanosleep usleep sleep poll ppoll select pselect epoll_wait epoll_pwait pthread_mutex_lock pthread_mutex_timedlock "
              "pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_cond_wait pthread_cond_timedwait sem_wait sem_timedwait pthread_join waitpid wait wait4 waitid flock fcntl fcntl64 "
              "epoll_pwait2 pause sigsuspend sigwait sigwaitinfo sigtimedwait pthread_mutex_clocklock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock mtx_lock pthread_cond_clockwait pthread_barrier_wait cnd_wait cnd_timedwait pthread_timedjoin_np thrd_join thrd_sleep "
              "pthread_create thrd_create sem_clockwait pthread_clockjoin_np perror psignal freopen freopen64 vdprintf dprintf __vdprintf_chk __dprintf_chk dup pipe pipe2".split())
